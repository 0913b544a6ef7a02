import { Parser } from "expr-eval-fork";
import { exported, text, isObject, refuse } from "../facade/checks.js";

const maxNesting = 32; // brackets within brackets
const maxSteps = 100_000; // operations and calls
const maxLength = 5 * 1024 * 1024; // characters of a text, elements of an array that a formula makes

let steps = 0;

// counted is a function of the evaluator that spends a step.
const counted = (f) => (...args) => {
  if (++steps > maxSteps) refuse(`the formula takes more than ${maxSteps} steps`);
  const result = f(...args);
  if ((typeof result === "string" || Array.isArray(result)) && result.length > maxLength) refuse(`the formula makes a value of ${result.length} elements, more than the limit of ${maxLength}`);
  return result;
};

// own reads a property that a value itself has: never one of a prototype.
function own(object, key) {
  if (object === null || object === undefined) return refuse(`cannot read ${JSON.stringify(key)} of ${object}`);
  if (typeof object === "string" || typeof object === "object") return Object.hasOwn(object, key) ? object[key] : undefined;
  return undefined;
}

const indexed = (object, key) => own(object, Array.isArray(object) || typeof object === "string" ? Math.trunc(key) : key);

function fold(f, init, list) {
  if (typeof f !== "function") refuse("the first argument of fold must be a function");
  if (!Array.isArray(list)) refuse("the last argument of fold must be an array");
  return list.reduce((sum, x, i) => f(sum, x, i), init);
}

// extreme is min or max of numbers or of an array of them, however long.
const extreme = (better) => (...args) => {
  const list = args.length === 1 && Array.isArray(args[0]) ? args[0] : args;
  return list.reduce((best, x) => better(best, Number(x)), better());
};

function parser() {
  const p = new Parser({ operators: { in: true, assignment: true } });
  p.binaryOps["["] = indexed;
  p.binaryOps["."] = own;
  p.functions.fold = fold;
  p.functions.min = extreme(Math.min);
  p.functions.max = extreme(Math.max);
  for (const table of ["unaryOps", "binaryOps", "ternaryOps", "functions"]) {
    const safe = Object.create(null); // "toString" is no function of a formula
    for (const [name, f] of Object.entries(p[table])) safe[name] = counted(f);
    p[table] = safe;
  }
  p.functions.__counter = 0; // by which the library numbers what formulas define, and which it forgot to begin
  p.consts = Object.assign(Object.create(null), p.consts);
  return p;
}

function checkNesting(formula) {
  let depth = 0, quote = "";
  for (let i = 0; i < formula.length; i++) {
    const c = formula[i];
    if (quote) {
      if (c === "\\") i++;
      else if (c === quote) quote = "";
    } else if (c === '"' || c === "'") quote = c;
    else if (c === "(" || c === "[") {
      if (++depth > maxNesting) refuse(`the formula has brackets nested more than ${maxNesting} deep`);
    } else if (c === ")" || c === "]") depth--;
  }
}

// harden makes member access look at own properties only, and names too: the library reads
// both with prototypes.
function harden(tokens, known) {
  const assigned = new Set(); // names of variables, functions and parameters
  const collect = (list) => list.forEach((t) => t.type === "IVARNAME" ? assigned.add(t.value) : t.type === "IEXPR" && collect(t.value));
  collect(tokens);
  const walk = (list) => {
    for (let i = 0; i < list.length; i++) {
      const t = list[i];
      if (t.type === "IEXPR") walk(t.value);
      else if (t.type === "IMEMBER") {
        if (/^(__proto__|prototype|constructor)$/.test(t.value)) refuse(`the property ${JSON.stringify(t.value)} is not for formulas`);
        const Instruction = t.constructor;
        list.splice(i, 1, new Instruction("INUMBER", t.value), new Instruction("IOP2", "."));
        i++;
      } else if (/^(__counter$|lambda_)/.test(t.value)) {
        if (t.type === "IVAR" && !Object.hasOwn(known, t.value) && !assigned.has(t.value)) refuse(`undefined variable: ${t.value}`);
        if (t.type === "IVARNAME") refuse(`the name ${JSON.stringify(t.value)} is not for formulas`);
      } else if ((t.type === "IVAR" || t.type === "IVARNAME") && t.value in Object.prototype && (t.type === "IVARNAME" || !Object.hasOwn(known, t.value) && !assigned.has(t.value))) {
        if (t.type === "IVARNAME") refuse(`the name ${JSON.stringify(t.value)} is not for formulas`);
        refuse(`undefined variable: ${t.value}`);
      }
    }
  };
  walk(tokens);
  return assigned;
}

export const evaluate = exported("expr", "evaluate", (formula, vars) => {
  text(formula, "the formula");
  if (formula.trim() === "") refuse("the formula is empty");
  const known = Object.create(null);
  if (isObject(vars)) {
    for (const [name, v] of Object.entries(vars)) {
      if (typeof v === "function") refuse(`the variable ${name} is a function: formulas define their own, like f(x) = x * 2`);
      if (name !== "__proto__") known[name] = v;
    }
  }
  checkNesting(formula);
  const outer = steps;
  steps = 0;
  try {
    const parsed = parser().parse(formula);
    const assigned = harden(parsed.tokens, known);
    // Built-in functions come before variables, but for sum, which the language did not always have.
    if (assigned.has("sum") || Object.hasOwn(known, "sum")) delete parsed.functions.sum;
    const result = parsed.evaluate(known);
    return typeof result === "function" ? refuse("the value of the formula is a function: call it") : result;
  } finally {
    steps = outer;
  }
});

export default { evaluate };
