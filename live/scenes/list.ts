/** The scenes in the order of the page. */

import { boidsScene } from './boids.ts'
import { clusterScene } from './cluster.ts'
import { dropletScene } from './droplet.ts'
import { galaxiesScene } from './galaxies.ts'
import { graphScene } from './graph.ts'
import { ionsScene } from './ions.ts'
import type { Scene } from './scene.ts'
import { vorticesScene } from './vortices.ts'

export const scenes: readonly [Scene, ...Scene[]] = [
  galaxiesScene,
  clusterScene,
  dropletScene,
  ionsScene,
  boidsScene,
  vorticesScene,
  graphScene,
]

export const sceneNamed = (name: string | null): Scene => scenes.find((scene) => scene.name === name) ?? scenes[0]
