// TypeScript: types are erased before the program runs, enums become objects.
//
//   quicksand run examples/typed.ts

enum Priority {
  Low = 1,
  Normal,
  High,
}

interface Task {
  title: string;
  priority: Priority;
  tags?: readonly string[];
}

function groupBy<T, K extends string>(list: readonly T[], key: (item: T) => K): Partial<Record<K, T[]>> {
  const groups: Partial<Record<K, T[]>> = {};
  for (const item of list) (groups[key(item)] ??= []).push(item);
  return groups;
}

class Queue<T extends Task> {
  constructor(private readonly tasks: T[] = []) {}

  add(...tasks: T[]): this {
    this.tasks.push(...tasks);
    return this;
  }

  byPriority() {
    return groupBy(this.tasks, (t) => Priority[t.priority] as keyof typeof Priority);
  }
}

const queue = new Queue<Task>().add(
  { title: "write the release notes", priority: Priority.Normal },
  { title: "fix the login", priority: Priority.High, tags: ["bug"] },
  { title: "water the plants", priority: Priority.Low },
  { title: "renew the certificate", priority: Priority.High } satisfies Task,
);

return queue.byPriority();
