/**
 * An array that stays on the device, for whoever runs programs over it. `GpuArray` is what users get of it.
 *
 * @module
 */

export class HeldArray {
  constructor(
    readonly buffer: GPUBuffer,
    public length: number,
  ) {}
}
