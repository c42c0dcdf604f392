/**
 * How workgroups are spread over the axes of a dispatch: a device takes 65535 along each.
 *
 * @module
 */

/** The number of groups along x, and along z what is beyond 65535. */
export function spread(groups: number): readonly [x: number, z: number] {
  const x = Math.min(groups, 65535)
  return [x, Math.ceil(groups / Math.max(1, x))]
}
