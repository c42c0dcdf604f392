// Shared parts of the browser tests: points, an opened host with its context in reach, and the loss of that context.

import type { ParticleSet } from '@manybody/core'
import { findContext, type Gl } from '../../src/run/host/adapter.ts'
import { loadDriver } from '../../src/run/host/gpu-js.ts'
import { GlHost } from '../../src/run/host/host.ts'
import { Sheets } from '../../src/run/host/memory.ts'

/** The last row of sources is not full. */
export function cloud(count: number): ParticleSet & Readonly<Record<'position' | 'mass', Float32Array>> {
  const noise = (n: number) => (Math.sin(12.9898 * (n + 1)) * 43758.5453) % 1
  return {
    position: Float32Array.from({ length: 3 * count }, (_, n) => noise(n)),
    mass: Float32Array.from({ length: count }, (_, n) => 1 + 0.5 * noise(n + 7)),
  }
}

export async function openHost(): Promise<{ host: GlHost; sheets: Sheets; gl: Gl }> {
  const found = findContext()
  if (!('gl' in found)) throw new Error(found.reason)
  const host = new GlHost(await loadDriver(), found)
  return { host, sheets: new Sheets(host), gl: host.gl }
}

/** A context factory that remembers its contexts. */
export function remembered(): { factory: () => WebGL2RenderingContext | null; given: WebGL2RenderingContext[] } {
  const given: WebGL2RenderingContext[] = []
  return {
    given,
    factory: () => {
      const gl = new OffscreenCanvas(2, 2).getContext('webgl2')
      if (gl) given.push(gl)
      return gl
    },
  }
}

/** Loses a context as a driver reset does. */
export function lose(gl: WebGL2RenderingContext | undefined): void {
  gl?.getExtension('WEBGL_lose_context')?.loseContext()
}
