/**
 * How workgroups are spread over the axes of a dispatch, because a device takes at most 65535 along each.
 *
 * @module
 */

/** Groups along x, at most 65535, and as many along z as the rest needs. */
export function spread(groups: number): readonly [x: number, z: number] {
  const x = Math.min(groups, 65535)
  return [x, Math.ceil(groups / Math.max(1, x))]
}
