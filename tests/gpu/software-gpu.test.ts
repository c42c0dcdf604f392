// The basis of the other tests here: Dawn finds the software GPU, and that GPU computes correctly.

import { expect, test } from 'vitest'
import { create, globals } from 'webgpu'

// Not as globals, which the files after this one would see: the backend must not need them.
const { GPUBufferUsage, GPUMapMode } = globals as typeof globalThis
const gpu = create([])

test('Dawn finds SwiftShader', async () => {
  const adapter = await gpu.requestAdapter()
  expect(adapter?.info.architecture).toBe('swiftshader')
})

test('a compute shader doubles 64 numbers', async () => {
  const adapter = await gpu.requestAdapter()
  const device = await adapter?.requestDevice()
  if (!device) throw new Error('no device')
  const numbers = Float32Array.from({ length: 64 }, (_, index) => index - 31.5)

  const storage = device.createBuffer({
    size: numbers.byteLength,
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC,
  })
  const readable = device.createBuffer({
    size: numbers.byteLength,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  })
  device.queue.writeBuffer(storage, 0, numbers)

  const pipeline = await device.createComputePipelineAsync({
    layout: 'auto',
    compute: {
      module: device.createShaderModule({
        code: `
          @group(0) @binding(0) var<storage, read_write> x: array<f32>;
          @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { x[id.x] = x[id.x] * 2; }`,
      }),
    },
  })
  const commands = device.createCommandEncoder()
  const pass = commands.beginComputePass()
  pass.setPipeline(pipeline)
  pass.setBindGroup(
    0,
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: { buffer: storage } }],
    }),
  )
  pass.dispatchWorkgroups(1)
  pass.end()
  commands.copyBufferToBuffer(storage, 0, readable, 0, numbers.byteLength)
  device.queue.submit([commands.finish()])

  await readable.mapAsync(GPUMapMode.READ)
  expect(new Float32Array(readable.getMappedRange().slice(0))).toEqual(numbers.map((x) => x * 2))
  device.destroy()
})
