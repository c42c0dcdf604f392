/**
 * The facts about a device that decide the shape of loops.
 *
 * @module
 */
import type { DeviceInfo } from '@manybody/core'

/** Invocations in a subgroup; the number may differ between shaders of one device. */
export interface Subgroups {
  readonly least: number
  readonly most: number
}

/** Limits that decide the shape of loops. They are named as in WebGPU, but declared here, because not every project has its types. */
export interface LoopLimits {
  readonly maxComputeInvocationsPerWorkgroup: number
  readonly maxComputeWorkgroupSizeX: number
  readonly maxComputeWorkgroupStorageSize: number
  readonly maxStorageBufferBindingSize: number
  readonly maxBufferSize: number
  readonly maxStorageBuffersPerShaderStage: number
}

export interface LoopHost {
  readonly info: Pick<DeviceInfo, 'name' | 'kind'>
  readonly limits: LoopLimits
  /** Undefined where shaders cannot use subgroups. */
  readonly subgroups: Subgroups | undefined
}
