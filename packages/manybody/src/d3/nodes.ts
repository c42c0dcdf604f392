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
 * Writes coordinates relative to the middle of the nodes, so that float32 resolves them wherever they are.
 *
 * @throws RangeError if a node has none
 */
export function placeNodes(nodes: readonly Moving[], position: Float32Array): void {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const { x, y } of nodes) {
    if (x < left) left = x
    if (x > right) right = x
    if (y < top) top = y
    if (y > bottom) bottom = y
  }
  const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2]
  let at = 0
  for (const { x, y } of nodes) {
    const [dx, dy] = [x - middleX, y - middleY]
    // A coordinate that is not finite makes the difference NaN.
    if (!(dx - dx === 0 && dy - dy === 0))
      throw new RangeError(`"x" and "y" of node ${at / 2} expected finite numbers, got ${x} and ${y}`)
    position[at++] = dx
    position[at++] = dy
  }
}

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
