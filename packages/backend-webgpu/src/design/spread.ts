/**
 * How workgroups are spread over the axes of a dispatch, because a device takes at most 65535 along each.
 *
 * @module
 */

/** Workgroups along each axis. */
export type Size = readonly [x: number, y: number, z: number]

/** Groups along x, at most 65535, and as many along z as the rest needs. */
export function spread(groups: number): readonly [x: number, z: number] {
  const x = Math.min(groups, 65535)
  return [x, Math.ceil(groups / Math.max(1, x))]
}

/** The size of a dispatch with workgroups counted along x and z. */
export function alongZ(groups: number): Size {
  const [x, z] = spread(groups)
  return [x, 1, z]
}

/** The size of a dispatch with workgroups counted along x and y. */
export const alongY = (groups: number): Size => [Math.min(groups, 65535), Math.ceil(groups / 65535), 1]
