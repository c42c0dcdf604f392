/**
 * The facts about a device that the compiling half must know, as data.
 *
 * @module
 */
import type { DeviceKind } from '@manybody/core'

export interface DeviceFacts {
  /** Version of WebGL: 2 has GLSL ES 3.00, 1 has GLSL ES 1.00. */
  readonly version: 1 | 2
  readonly kind: DeviceKind
  /** Number of float textures that a shader can draw at the same time. */
  readonly outputs: number
}
