/**
 * A proxy as frameworks make them, such as `reactive` of Vue: objects are read through it, and everything that is read is put behind a
 * proxy, too. Typed arrays, promises and buffers of WebGPU stay as they are.
 *
 * @module
 */

const reached = new WeakMap<object, object>()

export function reactive<T extends object>(given: T): T {
  const known = reached.get(given)
  if (known) return known as T
  const proxy = new Proxy(given, {
    get: (target, key, receiver) => {
      const value: unknown = Reflect.get(target, key, receiver)
      return isObserved(value) ? reactive(value) : value
    },
  })
  reached.set(given, proxy)
  return proxy
}

/** Vue observes plain objects, lists, and instances of classes that can still change. */
const isObserved = (value: unknown): value is object =>
  ['[object Object]', '[object Array]'].includes(Object.prototype.toString.call(value)) && Object.isExtensible(value)
