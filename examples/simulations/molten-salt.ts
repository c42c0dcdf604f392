/**
 * A salt that melts: charges of both signs with all of their images, and a short repulsion. Steps stay on the device.
 *
 * `--ions 97336 --steps 1000 --backend webgpu --time` prints how long a step takes, with and without the charges.
 */

import { parseArgs } from 'node:util'
import { coulomb, createEngine, type Force, lennardJones, mesh, periodic } from 'manybody'

const { values } = parseArgs({
  options: {
    ions: { type: 'string', default: '1000' },
    steps: { type: 'string', default: '200' },
    backend: { type: 'string' },
    time: { type: 'boolean', default: false },
  },
})
// An even number of ions along each edge, so that neighbours have other signs.
const side = 2 * Math.round(Math.cbrt(Number(values.ions)) / 2)
const [count, steps] = [side ** 3, Number(values.steps)]
const random = (() => {
  let state = 1
  return () => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
})()

// A lattice of spacing 1, a little shaken.
const boundary = periodic([side, side, side])
const cells = Array.from({ length: count }, (_, n) => [
  n % side,
  Math.floor(n / side) % side,
  Math.floor(n / side ** 2),
])
const particles = {
  position: Float64Array.from(cells.flat(), (x) => x + 0.2 * random()),
  velocity: Float64Array.from({ length: 3 * count }, () => random() - 0.5),
  charge: Float64Array.from(cells, ([x = 0, y = 0, z = 0]) => ((x + y + z) % 2 ? 1 : -1)),
  mass: new Float64Array(count).fill(1),
  sigma: new Float64Array(count).fill(0.9),
  epsilon: new Float64Array(count).fill(0.1),
}
const charges: Force = { law: coulomb(), boundary, method: mesh({ tolerance: 1e-4 }) }
const repulsion: Force = { law: lennardJones(), boundary, cutoff: 2, switchDistance: 1.6 }

await using engine = await createEngine({ ...(values.backend && { backend: values.backend }) })
await using salt = await engine.simulate({ particles, forces: [charges, repulsion], dt: 1e-3 })

const before = await salt.energy()
await salt.step(steps)
const after = await salt.energy()
const [error] = await salt.forceErrors()
// Charges cancel: a tolerance of 1e-4 is about a thousandth of the energy.
const drift = Math.abs((after.total - before.total) / before.potential)
console.log(`energy kept to a thousandth: ${drift < 1e-3}, with forces to 1e-4: ${error?.ok}`)

if (values.time) {
  const timed = async (simulation: typeof salt) => {
    // Behind the latest measurement of errors, which come after 64, 128 ... 1024 steps.
    await simulation.step(1025)
    const start = performance.now()
    await simulation.step(200)
    return (performance.now() - start) / 200
  }
  await using plain = await engine.simulate({ particles, forces: [repulsion], dt: 1e-3 })
  const [all, without] = [await timed(salt), await timed(plain)]
  console.log(
    `${count} ions on ${engine.device.info.name}: ${all.toFixed(3)} ms a step, ${without.toFixed(3)} without charges`,
  )
  console.log(error?.variant)
}
