/**
 * A wrong device: the grids of its sequences are summed on the host, from the positions that were there when the sequence was made.
 *
 * @module
 */
import type { Device, Sequence } from '@manybody/core'
import { gridTruth } from '../../src/checks/grids/grid-truth.ts'

type GridStages = Parameters<NonNullable<Device['gridSequence']>>[0]

export const staleGrids = (device: Device): Partial<Device> => ({
  takesGridStage: async () => true,
  async gridSequence(stages) {
    const steps = await Promise.all(stages.map((stage) => stepOf(device, stage)))
    return {
      async run(times) {
        for (let n = 0; n < times; n++) for (const step of steps) await step.run(1)
      },
      dispose() {
        for (const step of steps) step.dispose()
      },
    }
  },
})

async function stepOf(device: Device, stage: GridStages[number]): Promise<Pick<Sequence, 'run' | 'dispose'>> {
  if (!('grid' in stage)) return device.sequence([stage])
  const { grid, position, weights, fields } = stage
  const sources = Float64Array.from(await position.read())
  return {
    async run() {
      const numbers = await Promise.all(weights.map(async (one) => Float64Array.from(await one.read())))
      const found = gridTruth(grid, { sources, weights: numbers, targets: undefined })
      for (const [f, buffer] of fields.entries()) {
        const field = found.filter((_, n) => n % fields.length === f)
        await buffer.write(device.info.precision === 'f64' ? field : Float32Array.from(field))
      }
    },
    dispose() {},
  }
}
