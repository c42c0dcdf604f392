/**
 * The inputs of a program in memory. Arrays of this device stay where they are; others are copied.
 *
 * @module
 */
import type { Bindings, Range } from '@manybody/core'
import type { InputArray } from '../../design/design.ts'
import { DeviceArray } from '../host/buffer.ts'
import type { Regions } from './regions.ts'

/** The address of an array from the first point of a range on. */
export function placeInput(
  regions: Regions,
  { side, name, components }: InputArray,
  bindings: Bindings,
  [first, last]: Range,
): number {
  const { memory, precision } = regions
  const bytes = components * (precision === 'f64' ? 8 : 4)
  const offset = first * bytes
  const array = (side === 'target' ? bindings.targets : bindings.sources).arrays[name]
  if (array instanceof DeviceArray && array.isIn(memory)) return array.address + offset
  const same = side === 'source' && bindings.sources === bindings.targets && regions.has(`target.${name}`)
  if (same) return regions.at(`target.${name}`) + offset
  if (!(array instanceof Float32Array || array instanceof Float64Array))
    throw new TypeError(`"${name}" expected a typed array or a buffer of this device, got a buffer of another device`)
  // Sources that are targets may be another range of them.
  const whole = side === 'target' || bindings.sources === bindings.targets
  const part = whole ? array : array.subarray(first * components, last * components)
  const address = regions.reserve(`${side}.${name}`, (part.length / components) * bytes)
  memory.numbers(precision, address, part.length).set(part)
  return whole ? address + offset : address
}

/** The address of a copy of whole numbers. */
export function placeWords(regions: Regions, name: string, values: Uint32Array): number {
  const address = regions.reserve(name, values.byteLength)
  new Uint32Array(regions.memory.memory.buffer, address, values.length).set(values)
  return address
}
