// The kernel that the naive variant hands to gpu.js.

import { accelerations, gravity } from '@manybody/core'
import { pairBody } from '@manybody/core/expression'
import { expect, test } from 'vitest'
import { naiveSource } from '../src/compile/designs/naive-design.ts'

test('the naive variant is JavaScript that gpu.js can transpile', () => {
  const body = pairBody(accelerations(gravity({ softening: 0.1 })), { dimension: 3, sameSet: true }, { guard: false })
  expect(naiveSource(body, 3)).toMatchInlineSnapshot(`
    "function (targetPosition, sourcePosition, sourceAttribute0, p0, p1) {
      const i = this.thread.x;
      const xi = targetPosition[3 * i + 0];
      const yi = targetPosition[3 * i + 1];
      const zi = targetPosition[3 * i + 2];
      let total0 = 0;
      let total1 = 0;
      let total2 = 0;
      for (let j = 0; j < this.constants.sources; j++) {
        const xj = sourcePosition[3 * j + 0];
        const yj = sourcePosition[3 * j + 1];
        const zj = sourcePosition[3 * j + 2];
        const ofSource0 = sourceAttribute0[j];
        const s0 = p0 * ofSource0;
        const dx = xj - xi;
        const dy = yj - yi;
        const dz = zj - zi;
        const e0 = (1 / Math.sqrt(p1 + dx * dx + dy * dy + dz * dz));
        const coefficient = s0 * e0 * (e0 * e0);
        total0 += coefficient * dx;
        total1 += coefficient * dy;
        total2 += coefficient * dz;
      }
      return [(1) * total0, (1) * total1, (1) * total2];
    }"
  `)
})
