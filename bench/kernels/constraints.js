// A planner of one-way constraints with strengths: variables know which constraint
// determines them, a plan is the order in which constraints run.
const REQUIRED = 0, STRONG = 1, WEAK = 3;
class Variable {
  constructor(name, value) { this.name = name; this.value = value; this.users = []; this.by = null; this.stay = true; this.mark = 0; }
}
class Constraint {
  constructor(strength, inputs, output) {
    this.strength = strength; this.inputs = inputs; this.output = output;
    for (const v of inputs) v.users.push(this);
  }
  execute() {}
}
class Stay extends Constraint {
  constructor(v, strength) { super(strength, [], v); }
}
class Edit extends Constraint {
  constructor(v) { super(STRONG, [], v); this.value = 0; }
  execute() { this.output.value = this.value; }
}
class Equal extends Constraint {
  constructor(a, b) { super(REQUIRED, [a], b); }
  execute() { this.output.value = this.inputs[0].value; }
}
class Scale extends Constraint {
  constructor(source, scale, offset, target) { super(REQUIRED, [source, scale, offset], target); }
  execute() { const [s, k, o] = this.inputs; this.output.value = s.value * k.value + o.value; }
}
class Planner {
  constructor() { this.constraints = []; this.mark = 0; }
  add(c) {
    const old = c.output.by;
    if (old === null || c.strength <= old.strength) c.output.by = c;
    this.constraints.push(c);
    return c;
  }
  plan(from) {
    const mark = ++this.mark, plan = [], open = [from];
    while (open.length > 0) {
      const c = open.pop();
      if (c.output.mark === mark || c.output.by !== c) continue;
      c.output.mark = mark;
      plan.push(c);
      for (const u of c.output.users) if (u.output.by === u) open.push(u);
    }
    return plan;
  }
}
let sum = 0;
{
  const planner = new Planner(), n = 400, chain = [];
  for (let i = 0; i <= n; i++) chain.push(new Variable("v" + i, 0));
  for (let i = 0; i < n; i++) planner.add(new Equal(chain[i], chain[i + 1]));
  planner.add(new Stay(chain[n], WEAK));
  const edit = planner.add(new Edit(chain[0]));
  for (let k = 0; k < 30; k++) {
    const plan = planner.plan(edit);
    edit.value = k;
    for (const c of plan) c.execute();
    sum += chain[n].value;
  }
}
{
  const planner = new Planner(), n = 400, scale = new Variable("scale", 10), offset = new Variable("offset", 1000), targets = [];
  for (let i = 0; i < n; i++) {
    const source = new Variable("s" + i, i), target = new Variable("t" + i, i);
    planner.add(new Stay(source, WEAK));
    planner.add(new Scale(source, scale, offset, target));
    targets.push(target);
  }
  const edit = planner.add(new Edit(scale));
  for (let k = 0; k < 10; k++) {
    edit.value = k;
    for (const c of planner.plan(edit)) c.execute();
    sum += targets[n - 1].value;
  }
}
return sum;
