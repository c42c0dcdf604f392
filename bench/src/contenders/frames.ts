/**
 * Frames of a simulation on WebGPU, drawn from the buffer of its positions into a texture as large as a screen. Points glow: each is a
 * small square, and overlapping squares add their light. It shows no picture and reads nothing back.
 */

import type { GpuBuffer } from '@manybody/core'

const [width, height] = [1920, 1080]

const shader = /* wgsl */ `
struct Corner { @builtin(position) place: vec4f, @location(0) at: vec2f }

@vertex fn point(@builtin(vertex_index) n: u32, @location(0) position: vec3f) -> Corner {
  let at = vec2f(f32(n & 1), f32(n >> 1)) * 2 - 1;
  let middle = position.xy / (2 + position.z);
  return Corner(vec4f(middle + 2 * at / vec2f(${width}, ${height}), 0, 1), at);
}

@fragment fn glow(c: Corner) -> @location(0) vec4f {
  return vec4f(0.9, 0.95, 1, 0) * 0.2 * exp(-3 * dot(c.at, c.at));
}
`

/** @returns draws one frame: it submits the work, and does not wait for it */
export function framesOf({ buffer, count, stride, device }: GpuBuffer): () => void {
  const module = device.createShaderModule({ code: shader })
  const light: GPUBlendComponent = { srcFactor: 'one', dstFactor: 'one' }
  const format = 'rgba8unorm'
  const pipeline = device.createRenderPipeline({
    layout: 'auto',
    vertex: {
      module,
      buffers: [
        {
          arrayStride: stride,
          stepMode: 'instance',
          attributes: [{ shaderLocation: 0, offset: 0, format: 'float32x3' }],
        },
      ],
    },
    primitive: { topology: 'triangle-strip' },
    fragment: { module, targets: [{ format, blend: { color: light, alpha: light } }] },
  })
  const usage = 0x10 // GPUTextureUsage.RENDER_ATTACHMENT, which Node does not define
  const view = device.createTexture({ size: [width, height], format, usage }).createView()
  return () => {
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginRenderPass({
      colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store', clearValue: [0, 0, 0, 1] }],
    })
    pass.setPipeline(pipeline)
    pass.setVertexBuffer(0, buffer)
    pass.draw(4, count)
    pass.end()
    device.queue.submit([encoder.finish()])
  }
}
