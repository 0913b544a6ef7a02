import Decimal, * as all from "@nodetool-ai/sandbox-decimal";
return [Object.keys(all).sort(), Decimal === all.Decimal]; //= [["Decimal","default"],true]
---
import Decimal from "@nodetool-ai/sandbox-decimal";
const d = (x) => new Decimal(x);
return [d("0.1").plus("0.2"), d(1).div(3), d(2).pow(0.5), d("123.456").mod(7), d("-2.5").round(), d("1e30").plus(1), d("0x1f"), d(10).ln(), d(1).exp(), Decimal.acos(-1), d("1234.5678").toDecimalPlaces(2), d("12345").toSignificantDigits(2), d(5).cmp(6), d("NaN").isNaN()].map(String); //= ["0.3","0.33333333333333333333","1.4142135623730950488","4.456","-3","1e+30","31","2.302585092994045684","2.7182818284590452354","3.1415926535897932385","1234.57","12000","-1","true"]
---
// precision and rounding are settings of a constructor
import { Decimal } from "@nodetool-ai/sandbox-decimal";
const Exact = Decimal.clone({ precision: 50, rounding: Decimal.ROUND_HALF_EVEN });
return [new Exact(1).div(7).toString(), new Exact("2.5").toDecimalPlaces(0).toString(), new Decimal(1).div(7).toString(), Exact.sum("0.1", "0.2", "0.3").toFixed(3), Exact.max(1, "3", 2).toNumber(), new Decimal("1e21").toFixed(), new Decimal(255).toHexadecimal(), new Decimal("0.75").toFraction().map(String)]; //= ["0.14285714285714285714285714285714285714285714285714","2","0.14285714285714285714","0.600",3,"1000000000000000000000","0xff",["3","4"]]
---
import Decimal from "@nodetool-ai/sandbox-decimal";
return new Decimal("12,5"); //! Error "[DecimalError] Invalid argument: 12,5"
