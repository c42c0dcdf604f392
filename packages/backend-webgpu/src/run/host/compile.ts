/**
 * Compiles a shader to a pipeline, asynchronously and inside an error scope. An error contains the WGSL and marks the line
 * that the compiler rejected.
 *
 * @module
 */
import { ProgramCompilationError } from '@manybody/core/backend'
import { driverText, type Shader } from '../../design/shader.ts'
import { backendName, type GpuHost } from './host.ts'

export interface Pipeline {
  readonly shader: Shader
  readonly pipeline: GPUComputePipeline
  readonly layout: GPUBindGroupLayout
}

const computeStage = 4

/** @throws {@link ProgramCompilationError}, {@link DeviceLostError} */
export async function compile(host: GpuHost, shader: Shader): Promise<Pipeline> {
  host.check()
  const { device } = host
  device.pushErrorScope('validation')
  const code = driverText(shader)
  const module = device.createShaderModule({ label: shader.label, code })
  const layout = device.createBindGroupLayout({
    label: shader.label,
    entries: [
      { binding: 0, visibility: computeStage, buffer: { type: 'uniform' } },
      ...shader.resources.map(({ access }, index): GPUBindGroupLayoutEntry => {
        const type = access === 'read' ? 'read-only-storage' : 'storage'
        return { binding: index + 1, visibility: computeStage, buffer: { type } }
      }),
    ],
  })
  const pipelineLayout = device.createPipelineLayout({ bindGroupLayouts: [layout] })
  const made = device.createComputePipelineAsync({
    label: shader.label,
    layout: pipelineLayout,
    compute: { module, entryPoint: 'main' },
  })
  const [error, messages, outcome] = await Promise.all([
    device.popErrorScope(),
    module.getCompilationInfo().then((info) => info.messages.filter((m) => m.type === 'error')),
    made.then(
      (pipeline) => ({ pipeline }),
      (cause: unknown) => ({ cause }),
    ),
  ]).catch((cause) => host.blame(cause))
  host.check()
  if ('pipeline' in outcome && !error && messages.length === 0) return { shader, pipeline: outcome.pipeline, layout }
  const cause = 'cause' in outcome ? outcome.cause : error
  const listed = messages.map((m) => marked(code, m.lineNum, m.linePos, m.message))
  const other = error?.message ?? (cause instanceof Error ? cause.message : String(cause))
  throw new ProgramCompilationError(backendName, code, listed.length ? listed : [other.trim()], { cause })
}

/** The message, followed by the line and a caret below the column. */
export function marked(code: string, line: number, column: number, message: string): string {
  const text = code.split('\n')[line - 1] ?? ''
  return `${message} (line ${line}, column ${column})\n  ${text}\n  ${' '.repeat(Math.max(0, column - 1))}^`
}
