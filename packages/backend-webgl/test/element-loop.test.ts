// The generated loops over single elements, and what they load.

import { cellIndex, gradient, map } from '@manybody/core'
import { expect, test } from 'vitest'
import { elementDesign } from '../src/designs/element-design.ts'

const shape = { dimension: 3, targets: 300, sources: 0, sameSet: true, vectors: ['position', 'velocity'] } as const

test('a map of vectors, component by component', () => {
  const { pass, arrays, parts } = elementDesign(map({ position: 'position + dt*velocity' }, { dt: 0.1 }), shape)
  expect(arrays).toEqual(['position', 'velocity'])
  expect(parts).toEqual({ position: [0, 3] })
  expect(pass.glsl).toMatchInlineSnapshot(`
    "vec4 elementLoop() {
      int page = rowOf(int(gl_FragCoord.x));
      int element = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
      if (element >= 300) return vec4(0.0);
      float p0 = user_p0;
      float loaded0 = flatNumber(user_array0, user_array0Scale, 3 * element + 0);
      float loaded1 = flatNumber(user_array0, user_array0Scale, 3 * element + 1);
      float loaded2 = flatNumber(user_array0, user_array0Scale, 3 * element + 2);
      float loaded3 = flatNumber(user_array1, user_array1Scale, 3 * element + 0);
      float loaded4 = flatNumber(user_array1, user_array1Scale, 3 * element + 1);
      float loaded5 = flatNumber(user_array1, user_array1Scale, 3 * element + 2);
      return vec4(loaded0 + p0 * loaded3, loaded1 + p0 * loaded4, loaded2 + p0 * loaded5, 0.0);
    }"
  `)
})

test('a cell index, formed in integers', () => {
  expect(elementDesign(cellIndex({ cells: [4, 5, 6], spacing: 0.5 }), shape).pass.glsl).toMatchInlineSnapshot(`
    "vec4 elementLoop() {
      int page = rowOf(int(gl_FragCoord.x));
      int element = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
      if (element >= 300) return vec4(0.0);
      float p0 = user_p0;
      float p1 = user_p1;
      float p2 = user_p2;
      float p3 = user_p3;
      float p4 = user_p4;
      float p5 = user_p5;
      float loaded0 = flatNumber(user_array0, user_array0Scale, 3 * element + 0);
      float loaded1 = flatNumber(user_array0, user_array0Scale, 3 * element + 1);
      float loaded2 = flatNumber(user_array0, user_array0Scale, 3 * element + 2);
      float e0 = floor(p0 * (p1 + loaded0));
      float e1 = floor(p2 * (p3 + loaded1));
      float e2 = floor(p4 * (p5 + loaded2));
      int cell0 = int(e0 - 4.0 * floor(0.25 * e0));
      cell0 += cell0 < 0 ? 4 : cell0 >= 4 ? -4 : 0;
      int cell1 = int(e1 - 5.0 * floor(0.2 * e1));
      cell1 += cell1 < 0 ? 5 : cell1 >= 5 ? -5 : 0;
      int cell2 = int(e2 - 6.0 * floor(0.16666666666666666 * e2));
      cell2 += cell2 < 0 ? 6 : cell2 >= 6 ? -6 : 0;
      return vec4(float(cell0 + 4 * (cell1 + 5 * cell2)), 0.0, 0.0, 0.0);
    }"
  `)
})

test('a stencil with its neighbours wrapped', () => {
  const grid = { ...shape, dimension: 2, targets: 12, vectors: [] } as const
  expect(elementDesign(gradient({ cells: [3, 4], spacing: 0.5 }), grid).pass.glsl).toMatchInlineSnapshot(`
    "vec4 elementLoop() {
      int page = rowOf(int(gl_FragCoord.x));
      int element = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
      if (element >= 12) return vec4(0.0);
      float p0 = user_p0;
      float p1 = user_p1;
      int ix = remainder(element, 3), iy = remainder(quotient(element, 3), 4), iz = quotient(element, 12);
      float loaded0 = flatNumber(user_array0, user_array0Scale, (ix == 0 ? 2 : ix - 1) + 3 * (iy + 4 * (iz)));
      float loaded1 = flatNumber(user_array0, user_array0Scale, (ix == 2 ? 0 : ix + 1) + 3 * (iy + 4 * (iz)));
      float loaded2 = flatNumber(user_array0, user_array0Scale, ix + 3 * ((iy == 0 ? 3 : iy - 1) + 4 * (iz)));
      float loaded3 = flatNumber(user_array0, user_array0Scale, ix + 3 * ((iy == 3 ? 0 : iy + 1) + 4 * (iz)));
      return vec4(p0 * (loaded1 - loaded0), p1 * (loaded3 - loaded2), 0.0, 0.0);
    }"
  `)
})
