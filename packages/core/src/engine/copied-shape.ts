/**
 * A copy of a shape that a user writes, for calls that must load code before they can check it (`shape.ts`).
 *
 * @module
 */
import { hasNames } from '../ground/checks.ts'
import { deepCopy } from '../ground/deep-copy.ts'

/** Iterables other than lists stay as they are, because a check will refuse them. */
export function copiedShape<Given>(shape: Given): Given {
  if (!hasNames(shape)) return shape
  const copied = (part: unknown) => (Symbol.iterator in Object(part) && !Array.isArray(part) ? part : deepCopy(part))
  return Object.fromEntries(Object.entries(shape).map(([name, part]) => [name, copied(part)])) as Given
}
