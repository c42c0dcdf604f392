// The home page: its top, in the form of VitePress' home layout, and the parts of the README that follow.

import type { Parts } from './readme.ts'

const top = {
  layout: 'home',
  title: 'Point interactions on any device',
  hero: {
    name: 'manybody',
    text: 'One law, every device',
    tagline:
      'Describe a point interaction once. Run it on WebGPU, WebGL or WebAssembly, and know how exact the result is.',
    image: {
      src: '/pictures/live.jpg',
      alt: 'The live page: two galaxies pass each other; beside them a law that can be typed, figures and controls',
    },
    actions: [
      { theme: 'brand', text: 'Get started', link: '/installing' },
      { theme: 'alt', text: 'See it live', link: '/live/index.html', target: '_self' },
      { theme: 'alt', text: 'Gallery', link: '/gallery' },
      { theme: 'alt', text: 'Recipes', link: '/recipes/' },
      { theme: 'alt', text: 'Measure your device', link: '/measure-here/index.html', target: '_self' },
    ],
  },
  features: [
    {
      title: 'Your own law is a line of text',
      details:
        'Write the energy of a pair. The force is its exact derivative, and each device gets its own code for it.',
      link: '/recipes/your-own-law',
    },
    {
      title: 'It runs where your users are',
      details: 'Browsers with and without WebGPU, Node, Deno and Bun. The engine proves the best device and says why.',
      link: '/concepts#selection',
    },
    {
      title: 'It says how exact it is',
      details: 'engine.verify compares with float64 on your data, beside an error bound derived from your law.',
      link: '/accuracy',
    },
    {
      title: 'A million bodies',
      details:
        'A sum may have a tolerance. A few points then stand for many far ones, and each run measures its error.',
      link: '/recipes/million-bodies',
    },
    {
      title: 'Simulations stay on the device',
      details: 'Several forces, bonds, thermostats, symplectic integrators, and snapshots that resume bit for bit.',
      link: '/simulation',
    },
    {
      title: 'Devices fail, results do not',
      details: 'A lost device is replaced and the run repeated, or the promise is rejected with the reason.',
      link: '/reliability',
    },
  ],
}

/** The page, as Markdown. */
export const homePage = ({ example, figures }: Parts): string => `---
${JSON.stringify(top)}
---

## Ten lines

${example}

[Get started](./installing.md) puts a law into a page.

## How fast

${figures}
`
