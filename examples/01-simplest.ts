/** The simplest run: the Sun pulls the Earth, and the pull gives the length of the year. */

import { accelerations, createEngine, gravity } from 'manybody'

await using engine = await createEngine()

// Astronomical units, solar masses and days; positions are interleaved, x y z for each point.
const position = Float32Array.of(0, 0, 0, 1, 0, 0)
const mass = Float32Array.of(1, 3.0e-6)
const G = 0.01720209895 ** 2

const { acceleration, report } = await engine.run(accelerations(gravity({ G })), { position, mass })

const [ax = 0, ay = 0, az = 0] = acceleration.slice(3)
console.log(
  `The Earth is pulled along x by ${ax.toExponential(3)} AU per day squared, along y by ${ay}, along z by ${az}.`,
)
console.log(`On a circle that makes a year of ${(2 * Math.PI * Math.sqrt(1 / -ax)).toFixed(2)} days.`)
console.error(`ran on ${report.backend}: ${report.device}`)
