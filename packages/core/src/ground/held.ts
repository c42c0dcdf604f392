/**
 * Objects that users hold: engines, simulations, devices. Frameworks put them behind a proxy, as `ref` of Vue does, and programs
 * take methods from them: `const { run } = engine`. Private fields belong to one object alone, so a method called on a proxy could
 * not read them.
 *
 * @module
 */

/** The same object for users. Its methods and fields read the given object, whatever `this` they are called with. */
export function held<T extends object>(object: T): T {
  const prototype = Object.getPrototypeOf(object) as object
  const outside = Object.create(prototype) as T
  for (const name of [...Reflect.ownKeys(prototype), ...Reflect.ownKeys(object)] as (keyof T)[]) {
    const { value } = descriptorOf(prototype, name) ?? {}
    const member: PropertyDescriptor =
      typeof value === 'function' ? { value: value.bind(object), writable: true } : { get: () => object[name] }
    if (name !== 'constructor') Object.defineProperty(outside, name, { ...member, configurable: true })
  }
  return outside
}

const descriptorOf = Object.getOwnPropertyDescriptor
