// d3-force-3d has no types. These are the parts that tests use.

declare module 'd3-force-3d' {
  export interface Node3 {
    index?: number
    x?: number
    y?: number
    z?: number
    vx?: number
    vy?: number
    vz?: number
  }
  export interface Force3 {
    (alpha: number): void
    initialize?(nodes: Node3[], random?: () => number, dimensions?: number): void
  }
  export interface Charge3 extends Force3 {
    strength(strength: number | ((node: Node3, index: number) => number)): this
    theta(theta: number): this
    distanceMin(distance: number): this
    distanceMax(distance: number): this
    initialize(nodes: Node3[], random?: () => number, dimensions?: number): void
  }
  export interface Simulation3 {
    stop(): this
    randomSource(source: () => number): this
    force(name: string, force: Force3): this
    tick(iterations: number): this
  }
  export function forceSimulation(nodes: Node3[], dimensions?: number): Simulation3
  export function forceManyBody(): Charge3
  export function forceLink(links: readonly object[]): Force3
  export function forceCenter(): Force3
  export function forceX(): Force3
  export function forceY(): Force3
  export function forceZ(): Force3
}
