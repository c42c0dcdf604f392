/**
 * The limits that every WebGPU device has.
 *
 * @module
 */
import type { LoopLimits } from './facts.ts'

export const leastLimits: LoopLimits = {
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupStorageSize: 16384,
  maxStorageBufferBindingSize: 2 ** 27,
  maxBufferSize: 2 ** 28,
  maxStorageBuffersPerShaderStage: 8,
}
