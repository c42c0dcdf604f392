/** Draws points and lines with WebGPU, straight from the buffers of a simulation: nothing is copied. */

import type { GpuBuffer } from 'manybody'
import { grounds, type Painter, uniformLength, uniformsOf } from './picture.ts'

const shader = /* wgsl */ `
struct Uniforms {
  matrix: mat4x4f,
  size: vec2f, pixels: f32, least: f32,
  light: f32, box: f32, perSpeed: f32, look: f32,
  stops: array<vec4f, 4>,
  line: vec4f,
  cover: f32, most: f32,
}
@group(0) @binding(0) var<uniform> u: Uniforms;

struct Corner {
  @builtin(position) place: vec4f,
  @location(0) at: vec2f,
  @location(1) colour: vec3f,
}

fn wrapped(p: vec3f) -> vec3f {
  if (u.box == 0) { return p; }
  return vec3f(p.xy - u.box * floor(p.xy / u.box + 0.5), p.z);
}

fn colourOf(speed: f32) -> vec3f {
  let t = 3 * clamp(speed * u.perSpeed, 0, 1);
  let n = min(u32(t), 2u);
  return mix(u.stops[n].rgb, u.stops[n + 1].rgb, t - f32(n));
}

@vertex fn point(
  @builtin(vertex_index) n: u32, @location(0) position: vec3f, @location(1) velocity: vec3f,
) -> Corner {
  let middle = u.matrix * vec4f(wrapped(position), 1);
  let at = vec2f(f32(n & 1u), f32(n >> 1u)) * 2 - 1;
  let radius = clamp(u.pixels / middle.w, u.least, u.most);
  var turned = at;
  if (u.look == 2) {
    let forward = normalize((u.matrix * vec4f(velocity, 0)).xy * u.size + vec2f(1e-20, 0));
    turned = at.y * forward + at.x * vec2f(-forward.y, forward.x);
  }
  return Corner(middle + vec4f(turned * radius * 2 / u.size * middle.w, 0, 0), at, colourOf(length(velocity)));
}

@fragment fn shade(c: Corner) -> @location(0) vec4f {
  let d2 = dot(c.at, c.at);
  if (u.look == 2) {
    let inside = 0.5 * (1 - c.at.y) * 0.55 - abs(c.at.x) ;
    let notch = c.at.y + 0.75 - abs(c.at.x) * 0.6;
    if (inside < 0 || notch < 0) { discard; }
    return vec4f(c.colour, 1);
  }
  if (d2 > 1) { discard; }
  if (u.look == 1) {
    let up = sqrt(1 - d2);
    let lit = 0.28 + 0.72 * max(0, dot(vec3f(c.at, up), vec3f(-0.45, 0.55, 0.7)));
    let shine = pow(max(0, dot(vec3f(c.at, up), vec3f(-0.3, 0.42, 0.86))), 24) * 0.35;
    return vec4f(c.colour * lit + shine, 1);
  }
  let a = u.light * (exp(-3.5 * d2) - 0.0302 + 0.9 * exp(-40 * d2));
  return vec4f(c.colour * a, a * u.cover);
}

@vertex fn end(@location(0) position: vec3f) -> @builtin(position) vec4f {
  return u.matrix * vec4f(position, 1);
}

@fragment fn line() -> @location(0) vec4f {
  return vec4f(u.line.rgb * u.line.a, u.line.a);
}
`

const blend: GPUBlendState = {
  color: { srcFactor: 'one', dstFactor: 'one-minus-src-alpha' },
  alpha: { srcFactor: 'one', dstFactor: 'one-minus-src-alpha' },
}

export interface GpuPoints {
  readonly position: GpuBuffer
  readonly velocity: GpuBuffer
  /** Indices of the two ends of each line. */
  readonly edges: Uint32Array<ArrayBuffer>
}

export function webgpuPainter(
  canvas: HTMLCanvasElement | OffscreenCanvas,
  { position, velocity, edges }: GpuPoints,
): Painter {
  const { device } = position
  const context = canvas.getContext('webgpu')
  if (!context) throw new Error('the canvas has no WebGPU context')
  const format = navigator.gpu.getPreferredCanvasFormat()
  context.configure({ device, format, alphaMode: 'opaque' })

  const module = device.createShaderModule({ code: shader })
  const layout = device.createBindGroupLayout({
    entries: [{ binding: 0, visibility: GPUShaderStage.VERTEX | GPUShaderStage.FRAGMENT, buffer: {} }],
  })
  const vector = (stride: number): GPUVertexFormat => (stride === 8 ? 'float32x2' : 'float32x3')
  const vertices = (
    shaderLocation: number,
    { stride }: GpuBuffer,
    stepMode: GPUVertexStepMode,
  ): GPUVertexBufferLayout => ({
    arrayStride: stride,
    stepMode,
    attributes: [{ shaderLocation, offset: 0, format: vector(stride) }],
  })
  const pipelineLayout = device.createPipelineLayout({ bindGroupLayouts: [layout] })
  const pipeline = (
    solid: boolean,
    of: Pick<GPURenderPipelineDescriptor, 'vertex' | 'primitive'>,
    entryPoint: string,
  ) =>
    device.createRenderPipeline({
      layout: pipelineLayout,
      ...of,
      fragment: { module, entryPoint, targets: [{ format, blend }] },
      depthStencil: { format: 'depth24plus', depthWriteEnabled: solid, depthCompare: solid ? 'less' : 'always' },
    })
  const points = (solid: boolean) =>
    pipeline(
      solid,
      {
        vertex: {
          module,
          entryPoint: 'point',
          buffers: [vertices(0, position, 'instance'), vertices(1, velocity, 'instance')],
        },
        primitive: { topology: 'triangle-strip' },
      },
      'shade',
    )
  const pipelines = { glow: points(false), ball: points(true), dart: points(false) }
  const lines = pipeline(
    false,
    {
      vertex: { module, entryPoint: 'end', buffers: [vertices(0, position, 'vertex')] },
      primitive: { topology: 'line-list' },
    },
    'line',
  )
  const uniforms = device.createBuffer({
    size: 4 * uniformLength,
    usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
  })
  const group = device.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer: uniforms } }] })
  const ends = device.createBuffer({
    size: Math.max(4, edges.byteLength),
    usage: GPUBufferUsage.INDEX | GPUBufferUsage.COPY_DST,
  })
  device.queue.writeBuffer(ends, 0, edges)
  let depth: GPUTexture | undefined

  function depthOf(width: number, height: number): GPUTexture {
    if (depth?.width === width && depth.height === height) return depth
    depth?.destroy()
    return device.createTexture({
      size: [width, height],
      format: 'depth24plus',
      usage: GPUTextureUsage.RENDER_ATTACHMENT,
    })
  }

  return {
    draw(picture) {
      const { width, height, theme, look } = picture
      depth = depthOf(width, height)
      device.queue.writeBuffer(uniforms, 0, uniformsOf(picture, 'webgpu'))
      const encoder = device.createCommandEncoder()
      const pass = encoder.beginRenderPass({
        colorAttachments: [
          {
            view: context.getCurrentTexture().createView(),
            clearValue: [...(grounds[theme] ?? []), 1],
            loadOp: 'clear',
            storeOp: 'store',
          },
        ],
        depthStencilAttachment: {
          view: depth.createView(),
          depthClearValue: 1,
          depthLoadOp: 'clear',
          depthStoreOp: 'discard',
        },
      })
      pass.setBindGroup(0, group)
      pass.setVertexBuffer(0, position.buffer)
      if (edges.length > 0) {
        pass.setPipeline(lines)
        pass.setIndexBuffer(ends, 'uint32')
        pass.drawIndexed(edges.length)
      }
      pass.setPipeline(pipelines[look])
      pass.setVertexBuffer(1, velocity.buffer)
      pass.draw(4, picture.count)
      pass.end()
      device.queue.submit([encoder.finish()])
    },
    dispose() {
      depth?.destroy()
      uniforms.destroy()
      ends.destroy()
      context.unconfigure()
    },
  }
}
