/**
 * A ring of planetesimals around a star. Bodies that touch merge, and bodies that come too close to the star are lost.
 *
 * With `--time`, it also prints the cost of looking for them: the fastest of several runs, beside runs without events.
 */

import { createEngine, gravity, type SimulationEvent } from 'manybody'

const count = 1000
const random = (() => {
  let state = 1
  return () => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
})()

// Circles around a star of mass 1, between the radii 0.9 and 1.1, a little tilted and stretched.
const bodies = Array.from({ length: count }, () => {
  const [radius, angle] = [0.9 + 0.2 * random(), 2 * Math.PI * random()]
  const speed = (1 + 0.02 * (random() - 0.5)) / Math.sqrt(radius)
  const [x, y] = [Math.cos(angle), Math.sin(angle)]
  const [away, up] = [0.02 * (random() - 0.5), 0.02 * (random() - 0.5)]
  return {
    position: [radius * x, radius * y, 0.01 * (random() - 0.5)],
    velocity: [away * x - speed * y, away * y + speed * x, up],
  }
})
const particles = {
  position: [0, 0, 0, ...bodies.flatMap(({ position }) => position)],
  velocity: [0, 0, 0, ...bodies.flatMap(({ velocity }) => velocity)],
  mass: [1, ...bodies.map(() => 1e-7)],
  radius: [0.1, ...bodies.map(() => 0.0006)],
}
const events: SimulationEvent[] = [
  {
    pairs: 'r < radius_i + radius_j',
    resolve: 'merge',
    // The volume is kept.
    rules: { radius: '(radius_i^3 + radius_j^3)^(1/3)' },
  },
  { points: 'position_x^2 + position_y^2 + position_z^2 > 4', resolve: 'remove', every: 10 },
]
const options = { law: gravity(), particles, dt: 0.005 }

await using engine = await createEngine({ precision: 'f64', threads: 1 })
{
  await using simulation = await engine.simulate({ ...options, events })
  let mergers = 0
  simulation.onEvent(({ pairs }) => {
    mergers += pairs.length
  })
  const before = { ...(await simulation.total({ mass: 'mass' })), momentum: await simulation.momentum() }
  await simulation.step(300)
  const after = { ...(await simulation.total({ mass: 'mass' })), momentum: await simulation.momentum() }
  const left = (await simulation.read('mass')).length - 1
  console.log(`after ${simulation.time.toFixed(1)} some have merged: ${left < count && left === count - mergers}`)
  const drift = after.momentum.map((p, axis) => Math.abs(p - (before.momentum[axis] ?? 0)))
  console.log(`mass kept: ${Math.abs(after.mass - before.mass) < 1e-12}, momentum kept: ${Math.max(...drift) < 1e-12}`)
  if (process.argv.includes('--time')) console.log(`${mergers} mergers in ${simulation.steps} steps`)
}

if (process.argv.includes('--time')) {
  const fastest = { without: Number.POSITIVE_INFINITY, with: Number.POSITIVE_INFINITY }
  for (let run = 0; run < 8; run++)
    for (const name of ['without', 'with'] as const) {
      await using simulation = await engine.simulate({ ...options, ...(name === 'with' && { events }) })
      await simulation.step(1)
      const start = performance.now()
      await simulation.step(299)
      fastest[name] = Math.min(fastest[name], performance.now() - start)
    }
  const ratio = fastest.with / fastest.without
  console.log(`a step: ${(fastest.without / 299).toFixed(3)} ms, with events ${ratio.toFixed(2)}x`)
}
