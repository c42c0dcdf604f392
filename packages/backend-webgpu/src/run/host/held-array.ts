/**
 * An array that stays on the device, for whoever runs programs over it. `GpuArray` is what users get of it.
 *
 * @module
 */
import type { ListArrays } from './list-arrays.ts'

export class HeldArray {
  /** The lists of near points for the positions that it carries, freed with it. */
  lists: ListArrays | undefined

  constructor(
    readonly buffer: GPUBuffer,
    public length: number,
  ) {}
}
