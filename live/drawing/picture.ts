/** The numbers that describe a picture, which both shaders share. */

import type { Look } from '../scenes/scene.ts'
import { type Camera, matrixOf, pixelsPerLength } from './camera.ts'

export type Theme = 'dark' | 'light'

export interface Picture {
  readonly camera: Camera
  readonly theme: Theme
  readonly look: Look
  readonly count: number
  /** Radius of a point, a length. */
  readonly size: number
  /** The speed of the last colour. */
  readonly fast: number
  /** The edge of the periodic box, 0 if there is none. */
  readonly box: number
  /** Device pixels of the canvas. */
  readonly width: number
  readonly height: number
  /** Device pixels from the middle of the canvas to the middle of the scene, to the right. */
  readonly shift: number
  /** Device pixels per pixel of the page. */
  readonly ratio: number
}

/** Positions and velocities as arrays of the page, with `dimension` numbers for each point. */
export interface PointArrays {
  readonly position: Float32Array<ArrayBuffer>
  readonly velocity: Float32Array<ArrayBuffer>
  readonly dimension: 2 | 3
}

export interface Painter {
  draw(picture: Picture): void
  dispose(): void
}

const rgb = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)

/** Colours from slow to fast. Light colours add up on a dark ground; on a light ground, ink covers paper. */
const stops: Readonly<Record<Theme, Readonly<Record<Look, readonly string[]>>>> = {
  dark: {
    glow: ['#2a3cff', '#2f9dff', '#ffe6c4', '#ff8a3c'],
    ball: ['#2b58c9', '#36b5c4', '#f2d98b', '#ff6b4a'],
    dart: ['#5a6bff', '#41c6ff', '#a8ffd8', '#ffe08a'],
  },
  light: {
    glow: ['#20308f', '#1f6fc4', '#b0460f', '#d01c4a'],
    ball: ['#2b58c9', '#2a9fb0', '#e8b23c', '#e2523a'],
    dart: ['#27348b', '#0f7fb0', '#0f8a5f', '#b8560a'],
  },
}
export const grounds: Readonly<Record<Theme, readonly number[]>> = { dark: rgb('#05060c'), light: rgb('#f6f5f1') }
const lines: Readonly<Record<Theme, readonly number[]>> = {
  dark: [...rgb('#7f9dff'), 0.4],
  light: [...rgb('#31406b'), 0.45],
}

/** Numbers of the uniform block, in the order of both shaders. */
export const uniformLength = 48
const looks: readonly Look[] = ['glow', 'ball', 'dart']

export function uniformsOf(picture: Picture, depth: 'webgpu' | 'webgl'): Float32Array<ArrayBuffer> {
  const { camera, theme, look, count, size, fast, box, width, height, ratio } = picture
  const pixels = size * pixelsPerLength(camera, height)
  const least = (look === 'glow' ? 1.6 : look === 'dart' ? 3 : 1.2) * ratio
  // Many points are drawn fainter, so that dense places keep their structure.
  const light = look === 'glow' ? Math.min(1, Math.max(0.1, (theme === 'dark' ? 44 : 50) / Math.sqrt(count))) : 1
  const numbers = new Float32Array(uniformLength)
  numbers.set(matrixOf(camera, picture, depth), 0)
  numbers.set([width, height, pixels * camera.distance, least], 16)
  numbers.set([light, box, 1 / fast, looks.indexOf(look)], 20)
  stops[theme][look].forEach((hex, n) => {
    numbers.set([...rgb(hex), 1], 24 + 4 * n)
  })
  numbers.set([...(lines[theme] ?? [])], 40)
  // How much of the ground a glowing point covers: none if light adds up.
  numbers.set([theme === 'dark' ? 0 : 1, 60 * ratio, 0, 0], 44)
  return numbers
}
