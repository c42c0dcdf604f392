/**
 * Reads the places of nodes, and changes their velocities.
 *
 * @module
 */

/** What d3 has set when it calls a force. */
export interface Moving {
  readonly x: number
  readonly y: number
  vx: number
  vy: number
}

/**
 * Writes coordinates relative to the middle of the nodes, so that float32 resolves them wherever they are. A node whose place is NaN
 * has no strength, because d3 ignores it.
 *
 * @throws RangeError if a node is infinitely far away
 */
export function placeNodes(
  nodes: readonly Moving[],
  strengths: Float32Array,
  { position, strength }: { readonly position: Float32Array; readonly strength: Float32Array },
): void {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const { x, y } of nodes) {
    if (x < left) left = x
    if (x > right) right = x
    if (y < top) top = y
    if (y > bottom) bottom = y
  }
  const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2]
  let n = 0
  for (const { x, y } of nodes) {
    const placed = Number.isFinite(x) && Number.isFinite(y)
    if (!placed && !isPlaceless({ x, y }))
      throw new RangeError(`"x" and "y" of node ${n} expected finite numbers, got ${x} and ${y}`)
    strength[n] = placed ? (strengths[n] as number) : 0
    position[2 * n] = placed ? x - middleX : 0
    position[2 * n + 1] = placed ? y - middleY : 0
    n++
  }
}

/** Whether a node has no place. */
export const isPlaceless = ({ x, y }: Pick<Moving, 'x' | 'y'>): boolean => Number.isNaN(x) || Number.isNaN(y)

export function push(nodes: readonly Moving[], force: Float32Array, alpha: number): void {
  let at = 0
  for (const node of nodes) {
    node.vx += alpha * (force[at++] as number)
    node.vy += alpha * (force[at++] as number)
  }
}

/** As d3's. */
export function jiggle(random: () => number): number {
  return (random() - 0.5) * 1e-6
}
