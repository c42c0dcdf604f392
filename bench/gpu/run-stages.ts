// Runs the stages into a record, WebGPU and then CUDA on the same points, and prints rows as they come. The record is
// written after every stage, so that nothing is lost with whatever ends it.

import { webgpu } from '@manybody/backend-webgpu'
import type { Device } from '@manybody/core'
import { writeRecord } from '../src/node/output.ts'
import type { Cuda } from './cuda.ts'
import { judgeBackends } from './judge-backends.ts'
import { type Judge, judgeFor } from './measure.ts'
import { fault, measureStage } from './measure-stage.ts'
import type { GpuOptions } from './options.ts'
import { cudaLine, progressLine, rowLines } from './print.ts'
import { judgedLines } from './print-judged.ts'
import type { CudaRow, GpuRecord, GpuRow, Judged } from './record.ts'
import { type Stage, stagesOf } from './stages.ts'

export async function measureAll(
  device: Device,
  cuda: Cuda,
  about: Pick<GpuRecord, 'command' | 'machine'>,
  options: GpuOptions,
  interrupt: AbortSignal,
): Promise<GpuRecord> {
  const start = new Date()
  const signal = AbortSignal.any([interrupt, AbortSignal.timeout(60_000 * options.minutes)])
  const rows: GpuRow[] = []
  const cudaRows: CudaRow[] = []
  const judged: Judged[] = []
  let { refused } = cuda
  const record = (partial: string | undefined): GpuRecord => ({
    schema: 2,
    command: about.command,
    date: start.toISOString(),
    ...(partial === undefined ? {} : { partial }),
    machine: about.machine,
    ...(judged.length === 0 ? {} : { judged }),
    rows,
    cuda: { compiler: cuda.compiler, ...(refused === undefined ? {} : { refused }), rows: cudaRows },
  })
  const save = (partial: string | undefined): GpuRecord => {
    const made = record(partial)
    if (options.json !== undefined) writeRecord(made, options.json)
    return made
  }
  if (options.judge !== 'none')
    for await (const one of judgeBackends(interrupt)) {
      judged.push(one)
      for (const line of judgedLines(one)) console.log(line)
      save('ended before anything was timed')
    }
  const stages = options.judge === 'only' ? [] : stagesOf(options)
  for (const [done, stage] of stages.entries()) {
    if (signal.aborted) break
    console.log(progressLine(stage, done, stages.length, Date.now() - start.getTime()))
    const judge = judgeFor(stage.what.workload(stage.n), stage.what.points(stage.n))
    const found = await onDevice(device, stage, (where) => measureStage(where, stage, judge, options, signal))
    rows.push(...found)
    for (const line of rowLines(found)) console.log(line)
    if (stage.cuda && refused === undefined)
      try {
        for await (const row of rivalRows(cuda, stage, judge, signal)) {
          cudaRows.push(row)
          console.log(cudaLine(row))
        }
      } catch (error) {
        refused = error instanceof Error ? error.message : String(error)
        console.log(`No more CUDA in this record: ${refused}`)
      }
    save(`ended in the middle, after ${done + 1} of ${stages.length} stages`)
  }
  if (!signal.aborted) return save(undefined)
  return save(interrupt.aborted ? 'interrupted' : `its ${options.minutes} minutes were over`)
}

/** The device, or for this stage one with the least limits. */
async function onDevice<T>(device: Device, stage: Stage, work: (device: Device) => Promise<T>): Promise<T> {
  if (!stage.defaultLimits) return work(device)
  const small = await webgpu({ defaultLimits: true }).open()
  try {
    return await work(small)
  } finally {
    small.dispose()
  }
}

async function* rivalRows(
  cuda: Cuda,
  { what: { name: law }, n }: Stage,
  judge: Judge,
  signal: AbortSignal,
): AsyncGenerator<CudaRow> {
  for await (const { kernel, microseconds, results } of cuda.run(law, n, signal)) {
    const maxError = judge(results)
    yield {
      law,
      n,
      kernel,
      outcome: fault(maxError) ?? { gpu: microseconds, maxError: Number(maxError.toPrecision(3)) },
    }
  }
}
