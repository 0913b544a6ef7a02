// Tasks with queues of packets, in classes with methods that differ by kind: dispatch through
// prototypes, short-lived objects and linked lists.
class Packet {
  constructor(next, to, kind) { this.next = next; this.to = to; this.kind = kind; this.data = [0, 0, 0, 0]; this.at = 0; }
}
class Task {
  constructor(system, id, priority) { this.system = system; this.id = id; this.priority = priority; this.queue = null; this.held = false; this.runs = 0; }
  put(p) {
    p.next = null;
    if (this.queue === null) this.queue = p;
    else { let q = this.queue; while (q.next !== null) q = q.next; q.next = p; }
  }
  take() { const p = this.queue; if (p !== null) { this.queue = p.next; p.next = null; } return p; }
  ready() { return !this.held && this.queue !== null; }
}
class Idle extends Task {
  constructor(system, id, count) { super(system, id, 0); this.count = count; this.bits = 1; }
  ready() { return this.count > 0; }
  run() {
    this.count--;
    this.bits = this.bits & 1 ? (this.bits >> 1) ^ 0xd008 : this.bits >> 1;
    this.system.release(this.bits & 1 ? 4 : 5);
  }
}
class Worker extends Task {
  run() {
    const p = this.take();
    for (let i = 0; i < 4; i++) p.data[i] = (this.runs * 7 + i) % 26;
    p.to = this.runs % 2 ? 2 : 3;
    this.system.send(p);
  }
}
class Handler extends Task {
  run() {
    const p = this.take();
    let sum = 0;
    for (let i = 0; i < 4; i++) sum += p.data[i];
    p.at += sum;
    p.to = this.id === 2 ? 4 : 5;
    this.system.send(p);
  }
}
class Device extends Task {
  run() { const p = this.take(); this.held = true; p.to = 1; this.system.send(p); }
}
class System {
  constructor(count) {
    this.sent = 0;
    this.tasks = [new Idle(this, 0, count), new Worker(this, 1, 10), new Handler(this, 2, 20), new Handler(this, 3, 20), new Device(this, 4, 30), new Device(this, 5, 30)];
    for (let i = 0; i < 4; i++) this.tasks[1].put(new Packet(null, 1, "work"));
  }
  send(p) { this.sent++; this.tasks[p.to].put(p); }
  release(id) { this.tasks[id].held = false; }
  run() {
    for (;;) {
      let best = null;
      for (const t of this.tasks) if (t.ready() && (best === null || t.priority > best.priority)) best = t;
      if (best === null) return;
      best.runs++;
      best.run();
    }
  }
}
const system = new System(3000);
system.run();
return system.sent + system.tasks.reduce((n, t) => n + t.runs, 0);
