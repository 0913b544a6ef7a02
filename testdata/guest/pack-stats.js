import * as stats from "@nodetool-ai/sandbox-stats";
return [Object.keys(stats).length, stats.default === undefined]; //= [105,true]
---
import * as s from "@nodetool-ai/sandbox-stats";
const x = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5];
const digits = (v) => Array.isArray(v) ? v.map(digits) : typeof v === "number" ? Number(v.toPrecision(12)) : v;
return digits([s.mean(x), s.median(x), s.mode(x), s.sum(x), s.extent(x), s.quantile(x, [0.1, 0.5, 0.9]), s.interquartileRange(x), s.standardDeviation(x), s.sampleVariance(x), s.medianAbsoluteDeviation(x), s.geometricMean(x), s.harmonicMean(x), s.rootMeanSquare(x), s.sampleSkewness(x), s.sampleKurtosis(x), s.zScore(7, 4, 2), s.coefficientOfVariation(x)]); //= [4,4,5,44,[1,9],[1,4,6],2.5,2.25630429927,5.6,1,3.28826593635,2.56144890039,4.5924839783,0.664049771572,0.650510204082,1.5,0.59160797831]
---
import * as s from "@nodetool-ai/sandbox-stats";
const a = [1, 2, 3, 4, 5], b = [2.1, 3.9, 6.2, 7.8, 10.1], points = a.map((v, i) => [v, b[i]]);
const line = s.linearRegression(points);
const digits = (v) => Number(v.toPrecision(12));
return [digits(line.m), digits(line.b), digits(s.linearRegressionLine(line)(10)), digits(s.rSquared(points, s.linearRegressionLine(line))), digits(s.sampleCorrelation(a, b)), digits(s.sampleCovariance(a, b)), digits(s.sampleRankCorrelation(a, [5, 3, 4, 1, 2])), digits(s.tTest(b, 5)), digits(s.tTestTwoSample(a, b, 0)), digits(s.erf(0.5)), digits(s.probit(0.975)), digits(s.gamma(4.5)), digits(s.cumulativeStdNormalProbability(1.96))]; //= [1.99,0.05,19.95,0.997305328901,0.998651755569,4.975,-0.8,0.809340306448,-1.91561750044,0.520499907723,1.95716193166,11.6317283966,0.975]
---
import * as s from "@nodetool-ai/sandbox-stats";
return [s.ckmeans([1, 2, 2, 10, 11, 50], 3), s.jenks([1, 2, 4, 5, 7, 9, 10, 20], 3), s.equalIntervalBreaks([1, 2, 3, 4, 5, 6], 4), s.combinations([1, 2, 3], 2), s.permutationsHeap(["a", "b", "c"]), s.chunk([1, 2, 3, 4, 5], 2), s.uniqueCountSorted([1, 1, 2, 3]), s.wilcoxonRankSum([1, 2], [3, 4]), s.factorial(10), s.binomialDistribution(2, 0.5).map((p) => Number(p.toFixed(12)))]; //= [[[1,2,2],[10,11],[50]],[1,7,20,20],[1,2.25,3.5,4.75,6],[[1,2],[1,3],[2,3]],[["a","b","c"],["b","a","c"],["c","a","b"],["a","c","b"],["b","c","a"],["c","b","a"]],[[1,2],[3,4],[5]],3,3,3628800,[0.25,0.5,0.25]]
---
// learning from examples
import { BayesianClassifier, PerceptronModel } from "@nodetool-ai/sandbox-stats";
const b = new BayesianClassifier();
b.train({ species: "cat" }, "animal");
b.train({ species: "rose" }, "plant");
const p = new PerceptronModel();
for (let i = 0; i < 5; i++) [[[0, 0], 0], [[0, 1], 0], [[1, 0], 0], [[1, 1], 1]].forEach(([x, y]) => p.train(x, y));
return [b.score({ species: "cat" }), p.predict([1, 1]), p.predict([0, 1])]; //= [{"animal":0.5,"plant":0},1,0]
---
import { mean } from "@nodetool-ai/sandbox-stats";
return mean([]); //! Error "mean requires at least one data point"
