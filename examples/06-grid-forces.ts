/** Forces from a potential on a grid: the cell of each point, and minus the gradient there. */

import { cellIndex, createEngine, gradient, stencil } from 'manybody'

await using engine = await createEngine()

// A square of side 2 around the origin. The potential of a spring, (x^2 + y^2)/2, is known at the cells' centres.
const n = 32
const h = 2 / n
const grid = { cells: [n, n], spacing: h, origin: [-1, -1], edges: 'clamp' } as const
const centre = (cell: number) => -1 + h * (cell + 0.5)
const field = Float32Array.from(
  { length: n * n },
  (_, cell) => (centre(cell % n) ** 2 + centre(Math.floor(cell / n)) ** 2) / 2,
)

const slope = await engine.run(gradient(grid), { field })
const { laplacian } = await engine.run(stencil({ laplacian: '(xm + xp - 2*c)/hx^2 + (ym + yp - 2*c)/hy^2' }, grid), {
  field,
})

const position = Float32Array.of(0.53, -0.28, -0.7, 0.1)
const { index } = await engine.run(cellIndex(grid), { position, dimension: 2 })

for (const [point, cell] of index.entries()) {
  const [x = 0, y = 0] = position.slice(2 * point)
  const [gx = 0, gy = 0] = slope.gradient.slice(2 * cell)
  console.log(`(${x.toFixed(2)}, ${y.toFixed(2)}) is in cell ${cell}: force (${(-gx).toFixed(3)}, ${(-gy).toFixed(3)})`)
}
console.log(`the Laplacian inside is ${laplacian[n * 5 + 5]?.toFixed(2)}, as that of (x^2 + y^2)/2 must be`)
