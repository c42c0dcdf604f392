/**
 * Two disks of stars pass each other on a parabola, and throw tails and bridges. The film is drawn in the terminal.
 *
 * @source A. Toomre and J. Toomre, Galactic bridges and tails, Astrophysical Journal 178 (1972) 623
 */

import { createEngine, gravity } from 'manybody'
import { twoDisks } from 'manybody/initial'

// `npx tsx examples/simulations/galaxy-collision.ts 2000 40` takes 2000 stars per disk and 40 frames.
const [stars = 500, frames = 20] = process.argv.slice(2).map(Number)
const particles = twoDisks({ count: stars, seed: 1, separation: 5, pericentre: 1, diskMass: 0.02 })
const count = particles.mass.length
/** The point of the second centre. */
const other = stars + 1

await using engine = await createEngine()
await using galaxies = await engine.simulate({ law: gravity({ softening: 0.05 }), particles, dt: 0.005 })

const before = await galaxies.energy()
const distance = (p: ArrayLike<number>) =>
  Math.hypot(...[0, 1, 2].map((axis) => (p[3 * other + axis] ?? 0) - (p[axis] ?? 0)))
let nearest = { distance: Infinity, time: 0 }
for await (const { position, time } of galaxies.frames({ every: 100 })) {
  if (process.stdout.isTTY) console.log(`\x1b[H\x1b[2J${picture(position)}\ntime ${time.toFixed(1)}`)
  if (distance(position) < nearest.distance) nearest = { distance: distance(position), time }
  if (galaxies.steps >= 100 * frames) break
}
const after = await galaxies.energy()
console.log(
  `${count} points; the centres came within ${nearest.distance.toFixed(1)} at time ${nearest.time.toFixed(0)}`,
)
console.log(`energy kept to a part in a hundred: ${Math.abs(after.total / before.total - 1) < 0.01}`)

// Counts stars far outside both disks, by their distance from the centre of mass.
const { far } = await galaxies.total({ far: 'step(sqrt(position_x^2 + position_y^2 + position_z^2) - 5)' })
console.log(`stars in the tails: ${far > 0.01 * count}`)

function picture(position: ArrayLike<number>): string {
  const [width, height, scale] = [100, 36, 8]
  const rows = Array.from({ length: height }, () => Array<string>(width).fill(' '))
  for (let n = 0; n < count; n++) {
    const column = Math.round(width * (0.5 + (position[3 * n] ?? 0) / (2 * scale)))
    const row = Math.round(height * (0.5 - (position[3 * n + 1] ?? 0) / (2 * scale)))
    const line = rows[row]
    if (line?.[column]) line[column] = n <= stars ? '.' : '*'
  }
  return rows.map((row) => row.join('')).join('\n')
}
