/** A star cluster in a scene of three.js, for a page: the simulation and the renderer share one device, and the points their buffer. */

import { webgpu } from '@manybody/backend-webgpu'
import { createEngine, gravity } from 'manybody'
import { plummerSphere } from 'manybody/initial'
import { PerspectiveCamera, PointsMaterial, Scene, WebGPURenderer } from 'three/webgpu'
import { simulationPoints } from './simulation-points.ts'

const adapter = await navigator.gpu?.requestAdapter()
if (!adapter) throw new Error('This example needs a browser with WebGPU.')
const device = await adapter.requestDevice()

const engine = await createEngine({ backends: [webgpu({ device })] })
const simulation = await engine.simulate({
  law: gravity({ softening: 0.05 }),
  particles: plummerSphere({ count: 2000, seed: 7 }),
  dt: 0.005,
})

const renderer = new WebGPURenderer({ device, antialias: false })
await renderer.init()
renderer.setSize(innerWidth, innerHeight)
document.body.append(renderer.domElement)
const camera = new PerspectiveCamera(50, innerWidth / innerHeight, 0.1, 100)
camera.position.set(0, 0, 5)
const scene = new Scene()
const { points } = await simulationPoints(simulation, renderer, new PointsMaterial({ color: 0x9fd0ff }))
scene.add(points)

async function picture(): Promise<void> {
  await simulation.step(2)
  points.rotation.y += 0.003
  renderer.render(scene, camera)
  requestAnimationFrame(() => void picture())
}
await picture()
