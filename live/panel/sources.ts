/** The texts behind the picture: the code that was generated from the law, and the scene as a program. Loaded when asked for. */

import type { Session } from '../running/session.ts'

interface Text {
  readonly title: string
  readonly text: string
}

const sceneTexts = import.meta.glob<string>('../scenes/*.ts', { query: '?raw', import: 'default' })
const painterTexts = import.meta.glob<string>('../drawing/points-*.ts', { query: '?raw', import: 'default' })

export async function sourcesOf(session: Session): Promise<readonly Text[]> {
  const workload = session.workload()
  const { count, scene } = session.setup
  const { dimension } = scene.points(2, 1)
  const shape = { targets: count, sources: count, dimension, sameSet: true, vectors: [] }
  const plan = session.setup.variant === '' ? {} : { plan: { variant: session.setup.variant } }
  const generated: Readonly<Record<string, () => Promise<Text>>> = {
    webgpu: async () => {
      const { wgslText } = await import('@manybody/backend-webgpu/text')
      return { title: 'WGSL generated from the law', text: wgslText(workload, shape, plan) }
    },
    webgl: async () => {
      const { glslText } = await import('@manybody/backend-webgl/text')
      return { title: 'GLSL generated from the law', text: glslText(workload, shape) }
    },
    'cpu-wasm': async () => {
      const { wasmText } = await import('@manybody/backend-cpu-wasm/text')
      return { title: 'WebAssembly generated from the law', text: wasmText(workload, shape, plan) }
    },
  }
  const { backend } = session.engine.device.info
  const first = [backend, 'webgpu', 'webgl', 'cpu-wasm'].filter((name, n, all) => all.indexOf(name) === n)
  const texts = await Promise.all(first.map(async (name) => generated[name]?.()))
  const files = { ...sceneTexts, ...painterTexts }
  const wanted = Object.keys(files).filter((path) => !/list|scene\.ts/.test(path))
  wanted.sort((a, b) => Number(usedBy(session, b)) - Number(usedBy(session, a)))
  const programs = await Promise.all(
    wanted.map(async (path) => ({ title: path.replace('../', ''), text: (await files[path]?.()) ?? '' })),
  )
  return [...texts.filter((text) => text !== undefined), ...programs]
}

const usedBy = ({ setup }: Session, path: string) => path.endsWith(`/${setup.scene.name}.ts`)
