/**
 * The facts about a device that decide how loops look.
 *
 * @module
 */
import type { DeviceInfo } from '@manybody/core'

/** Invocations in a subgroup; the number may differ between shaders of one device. */
export interface Subgroups {
  readonly least: number
  readonly most: number
}

/** Limits that decide how loops look, named as in WebGPU, whose types not every project has. */
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
