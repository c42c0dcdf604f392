/** `tree-memory`: how much memory sums with a tolerance add to their process: gravity of points in a cube, on the processor. */

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { accelerations, createEngine, gravity, type Precision, tree } from '@manybody/core'
import { type Command, Option } from 'commander'
import { toleranceFrom, wholeFrom } from '../../arguments/options.ts'
import { randomFrom } from '../../random.ts'

interface Options {
  readonly points: number
  readonly tolerance: number
  readonly precision: Precision
  readonly calls: number
}

/** Enough points for a tree, so that its code is loaded before memory is counted. */
const fewPoints = 10_000

export function treeMemory(program: Command): Command {
  return program
    .command('tree-memory')
    .description('bytes for each point that sums with a tolerance add to the resident memory of a process, at most')
    .addOption(new Option('--points <n>', 'number of points').argParser(wholeFrom('points', 2e7)).default(1e6))
    .addOption(
      new Option('--tolerance <n>', 'error relative to the sum of the sizes of terms')
        .argParser(toleranceFrom('tolerance'))
        .default(1e-2),
    )
    .addOption(new Option('--precision <p>', 'precision of the device').choices(['f32', 'f64']).default('f32'))
    .addOption(new Option('--calls <n>', 'number of calls').argParser(wholeFrom('calls', 100)).default(2))
    .action(async ({ points, tolerance, precision, calls }: Options) => {
      await using engine = await createEngine({ backends: [cpuWasm()], precision })
      const pull = accelerations(gravity(), { method: tree({ tolerance }) })
      const particles = cubeOf(points, precision)
      await engine.run(pull, cubeOf(fewPoints, precision))
      const before = process.memoryUsage.rss()
      for (let call = 1; call <= calls; call++) {
        const { report, acceleration } = await engine.run(pull, particles)
        // The peak covers everything that the process has done, so it is at least as high as the peak of the calls.
        const most = process.resourceUsage().maxRSS * 1024 - before
        const results = acceleration.byteLength
        const of = (bytes: number) => `${(bytes / 1e9).toFixed(3)} GB, ${(bytes / points).toFixed(0)} a point`
        console.log(`call ${call}: at most ${of(most)}; of this, results ${of(results)}; ${report.variant}`)
      }
    })
}

function cubeOf(points: number, precision: Precision) {
  const random = randomFrom(1)
  const Floats = precision === 'f64' ? Float64Array : Float32Array
  const position = new Floats(3 * points)
  for (let n = 0; n < position.length; n++) position[n] = random()
  return { position, mass: new Floats(points).fill(1 / points) }
}
