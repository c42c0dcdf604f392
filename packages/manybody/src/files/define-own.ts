/**
 * Sets a property with a name that comes from a file. With `=`, a column `__proto__` would change the object.
 *
 * @module
 */
export function defineOwn(object: object, name: string, value: unknown): void {
  if (name !== '__proto__') (object as Record<string, unknown>)[name] = value
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}
