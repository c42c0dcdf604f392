/**
 * Who transforms the grids of a mesh. It decides how the work is divided between pairs and grids.
 *
 * @module
 */
import type { Device } from '../../contract/backend.ts'

export type Transformer = 'threads' | 'graphics' | 'host'

/** Who transforms the grids of a device. One without float64 is a graphics card. */
export const transformerOf = ({
  gridSum,
  gridPrecision,
}: Pick<Device, 'gridSum' | 'gridPrecision'> = {}): Transformer =>
  gridSum ? (gridPrecision === 'f32' ? 'graphics' : 'threads') : 'host'
