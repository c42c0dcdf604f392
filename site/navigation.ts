// The menu of the site: each page of `docs/` under one heading, in reading order. It holds no page titles: they come from the pages.

/** A heading, and the pages below it as paths from `docs/`. */
export interface Chapter {
  readonly heading: string
  readonly pages: readonly string[]
  /** Whether the menu shows only the heading at first. */
  readonly folded?: boolean
}

export const chapters: readonly Chapter[] = [
  {
    heading: 'Start',
    pages: ['installing.md', 'concepts.md', 'how-to.md', 'words.md', 'gallery.md', 'recipes/live-page.md'],
  },
  {
    heading: 'Recipes',
    pages: [
      'recipes/index.md',
      'recipes/your-own-law.md',
      'recipes/galaxy.md',
      'recipes/lennard-jones-fluid.md',
      'recipes/water.md',
      'recipes/copper.md',
      'recipes/vortices.md',
      'recipes/graph-layout.md',
      'recipes/molecular-electrostatics.md',
      'recipes/nearest-neighbours.md',
      'recipes/kernel-density.md',
      'recipes/interaction-matrix.md',
      'recipes/million-bodies.md',
      'recipes/simulation-parts.md',
      'recipes/frameworks.md',
      'recipes/from-gpu-js.md',
      'recipes/from-d3-force.md',
    ],
  },
  {
    heading: 'Guide',
    pages: [
      'expressions.md',
      'tables.md',
      'vectors.md',
      'densities.md',
      'links.md',
      'units-and-signs.md',
      'simulation.md',
      'tolerance.md',
      'mesh.md',
      'compiling.md',
      'functions.md',
    ],
  },
  {
    heading: 'Backends',
    pages: [
      'support.md',
      'backends/webgpu.md',
      'backends/webgl.md',
      'backends/cpu-wasm.md',
      'backends/cluster.md',
      'walks.md',
      'browsers.md',
      'debugging.md',
      'writing-a-backend.md',
    ],
  },
  { heading: 'How good is it', pages: ['accuracy.md', 'benchmarks.md', 'reliability.md'] },
  {
    heading: 'Notes',
    pages: [
      'architecture.md',
      'notes/webgpu.md',
      'notes/webgl.md',
      'notes/cpu-wasm.md',
      'notes/tolerance.md',
      'notes/live-page.md',
      'notes/cluster.md',
      'notes/files.md',
      'notes/sizes.md',
    ],
    folded: true,
  },
]
