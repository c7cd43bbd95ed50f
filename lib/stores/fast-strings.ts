/**
 * To be called before any code that derives a class from String is loaded; afterwards it is too late. ioredis has one.
 *
 * V8 lays an object out as a hash table when it becomes the prototype of another, and properly again once something
 * is read through an object that inherits from it (JSObject::OptimizeAsPrototype and MakePrototypesFast in its
 * sources). Of String.prototype nothing ever is, for strings are no objects: from then on every method of every string
 * in the process is looked up anew, and `charCodeAt` in a loop takes five times as long. Read through a String object
 * often enough to be noticed, it counts as a prototype already and is left as it is.
 */
export function keepStringMethodsFast(): void {
  const wrapped = Object('') as string;
  for (let times = 0; times < 1_000; times++) read(wrapped);
}

const read = (text: string): unknown => text.trim;
