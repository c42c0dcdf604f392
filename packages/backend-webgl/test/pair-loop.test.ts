// The generated loops, whole, as they go to the driver: a change shows here before it shows in a picture.

import {
  accelerations,
  countWithin,
  forces,
  gravity,
  lennardJones,
  matrix,
  nearest,
  type PairWorkload,
  pairTerm,
  periodic,
  reduce,
  sum,
} from '@manybody/core'
import { pairBody } from '@manybody/core/backend'
import { expect, test } from 'vitest'
import { foldOf } from '../src/folds/folds.ts'
import { dialects } from '../src/glsl/dialect.ts'
import { matrixLoop } from '../src/loops/matrix-loop.ts'
import { pairLoop } from '../src/loops/pair-loop.ts'
import { packSources, pairTexts } from '../src/loops/pair-texts.ts'
import { naiveSource } from '../src/programs/naive.ts'

function loopOf(workload: PairWorkload, guard = false, version: 1 | 2 = 2): string {
  const texts = pairTexts(workload, { dimension: 3, sameSet: true }, guard, dialects[version])
  return pairLoop(workload, texts, foldOf(workload, texts), { targets: 300, sources: 300 }).glsl
}

test('rejects a reduction that it does not know', () => {
  const unknown = { ...sum(pairTerm('r2')()), reduction: 'median' as 'sum' }
  expect(() => loopOf(unknown)).toThrow()
})

test('gravity: what an expert writes', () => {
  expect(loopOf(accelerations(gravity({ softening: 0.1 })))).toMatchInlineSnapshot(`
    "#define before(page) (user_resume == 1 ? texel(user_previous, user_previousScale, elementAt(page, columnOf(target)), rowOf(target)) : vec4(0.0))
    #define PAIR(column, page0) { \\
      int j = elementAt(row, column); \\
      float xj = page0.x; \\
      float yj = page0.y; \\
      float zj = page0.z; \\
      float s0 = page0.w; \\
      float dx = xj - xi; \\
      float dy = yj - yi; \\
      float dz = zj - zi; \\
      float e0 = inversesqrt(p1 + dx * dx + dy * dy + dz * dz); \\
      float coefficient = s0 * e0 * (e0 * e0); \\
      { \\
        part0 += coefficient * dx; \\
        part1 += coefficient * dy; \\
        part2 += coefficient * dz; \\
      } \\
    }
    vec4 pairLoop() {
      int page = rowOf(int(gl_FragCoord.x));
      int target = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
      int until = target >= user_firstTarget && target < user_lastTarget ? user_last : user_first;
      float p0 = user_p0;
      float p1 = user_p1;
      float xi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 0);
      float yi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 1);
      float zi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 2);
      float total0 = 0.0;
      float total1 = 0.0;
      float total2 = 0.0;
      for (int row = rowOf(user_first); elementAt(row, 0) < until; row++) {
        int column = row == rowOf(user_first) ? columnOf(user_first) : 0;
        int to = row == rowOf(until) ? columnOf(until) : 256;
        vec2 scale = user_sourcesScale;
        float rowCentre = centre(row, scale.y);
        float part0 = 0.0;
        float part1 = 0.0;
        float part2 = 0.0;
        for (; column + 4 <= to; column += 4) {
          vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
          vec4 page0At1 = sampled(user_sources, vec2(centre(column + 1, scale.x), rowCentre));
          vec4 page0At2 = sampled(user_sources, vec2(centre(column + 2, scale.x), rowCentre));
          vec4 page0At3 = sampled(user_sources, vec2(centre(column + 3, scale.x), rowCentre));
          PAIR(column, page0At0)
          PAIR(column + 1, page0At1)
          PAIR(column + 2, page0At2)
          PAIR(column + 3, page0At3)
        }
        for (; column < to; column++) {
          vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
          PAIR(column, page0At0)
        }
        total0 += part0;
        total1 += part1;
        total2 += part2;
      }
      return vec4(before(0).x + total0, before(0).y + total1, before(0).z + total2, 0.0);
    }"
  `)
})

test('gravity in the GLSL of WebGL1: constant bounds, and no texel but by its place', () => {
  expect(loopOf(accelerations(gravity({ softening: 0.1 })), false, 1)).toMatchInlineSnapshot(`
    "#define before(page) (user_resume == 1 ? texel(user_previous, user_previousScale, elementAt(page, columnOf(target)), rowOf(target)) : vec4(0.0))
    #define PAIR(column, page0) { int j = elementAt(row, column); float xj = page0.x; float yj = page0.y; float zj = page0.z; float s0 = page0.w; float dx = xj - xi; float dy = yj - yi; float dz = zj - zi; float e0 = inversesqrt(p1 + dx * dx + dy * dy + dz * dz); float coefficient = s0 * e0 * (e0 * e0); { part0 += coefficient * dx; part1 += coefficient * dy; part2 += coefficient * dz; } }
    vec4 pairLoop() {
      int page = rowOf(int(gl_FragCoord.x));
      int target = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
      int until = target >= user_firstTarget && target < user_lastTarget ? user_last : user_first;
      float p0 = user_p0;
      float p1 = user_p1;
      float xi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 0);
      float yi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 1);
      float zi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 2);
      float total0 = 0.0;
      float total1 = 0.0;
      float total2 = 0.0;
      {
        int row = rowOf(user_first);
        for (int turn = 0; turn < 2; turn++) {
          if (!(elementAt(row, 0) < until)) break;
          {
            int column = row == rowOf(user_first) ? columnOf(user_first) : 0;
            int to = row == rowOf(until) ? columnOf(until) : 256;
            vec2 scale = user_sourcesScale;
            float rowCentre = centre(row, scale.y);
            float part0 = 0.0;
            float part1 = 0.0;
            float part2 = 0.0;
            {
              for (int turn = 0; turn < 64; turn++) {
                if (!(column + 4 <= to)) break;
                {
                  vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
                  vec4 page0At1 = sampled(user_sources, vec2(centre(column + 1, scale.x), rowCentre));
                  vec4 page0At2 = sampled(user_sources, vec2(centre(column + 2, scale.x), rowCentre));
                  vec4 page0At3 = sampled(user_sources, vec2(centre(column + 3, scale.x), rowCentre));
                  PAIR(column, page0At0)
                  PAIR(column + 1, page0At1)
                  PAIR(column + 2, page0At2)
                  PAIR(column + 3, page0At3)
                }
                column += 4;
              }
            }
            {
              for (int turn = 0; turn < 3; turn++) {
                if (!(column < to)) break;
                {
                  vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
                  PAIR(column, page0At0)
                }
                column++;
              }
            }
            total0 += part0;
            total1 += part1;
            total2 += part2;
          }
          row++;
        }
      }
      return vec4(before(0).x + total0, before(0).y + total1, before(0).z + total2, 0.0);
    }"
  `)
})

test('sources are packed with what depends on them alone', () => {
  const workload = forces(lennardJones())
  expect(
    packSources(pairTexts(workload, { dimension: 3, sameSet: true }, true, dialects[2]), 300).glsl,
  ).toMatchInlineSnapshot(`
    "vec4 packSources() {
      int page = rowOf(int(gl_FragCoord.x));
      int source = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
      if (source >= 300) return vec4(0.0);
      float xj = flatNumber(user_sourcePosition, user_sourcePositionScale, 3 * source + 0);
      float yj = flatNumber(user_sourcePosition, user_sourcePositionScale, 3 * source + 1);
      float zj = flatNumber(user_sourcePosition, user_sourcePositionScale, 3 * source + 2);
      float ofSource0 = flatNumber(user_sourceAttribute0, user_sourceAttribute0Scale, source);
      float ofSource1 = flatNumber(user_sourceAttribute1, user_sourceAttribute1Scale, source);
      float s0 = sqrt(ofSource0);
      float s1 = 0.5 * ofSource1;
      if (page == 0) return vec4(xj, yj, zj, s0);
      return vec4(s1, 0.0, 0.0, 0.0);
    }"
  `)
})

test('lennard-jones in a periodic box, with a cutoff and exclusions', () => {
  const options = { boundary: periodic([4, 4, 4]), cutoff: 1.5, exclusions: [[0, 1]] as const }
  expect(loopOf(forces(lennardJones(), options), true)).toMatchInlineSnapshot(`
    "#define before(page) (user_resume == 1 ? texel(user_previous, user_previousScale, elementAt(page, columnOf(target)), rowOf(target)) : vec4(0.0))
    #define PAIR(column, page0, page1) { \\
      int j = elementAt(row, column); \\
      float xj = page0.x; \\
      float yj = page0.y; \\
      float zj = page0.z; \\
      float s0 = page0.w; \\
      float s1 = page1.x; \\
      bool excluded = j == skip; \\
      if (excluded) { \\
        next++; \\
        skip = next < end ? int(flatNumber(user_exclusions, user_exclusionsScale, next)) : -1; \\
      } \\
      float e0 = xj - xi; \\
      float dx = e0 - p1 * roundEven(p2 * e0); \\
      float e1 = yj - yi; \\
      float dy = e1 - p3 * roundEven(p4 * e1); \\
      float e2 = zj - zi; \\
      float dz = e2 - p5 * roundEven(p6 * e2); \\
      float r2 = dx * dx + dy * dy + dz * dz; \\
      float safeR2 = choose((0.0 < r2), r2, 1.0); \\
      float e3 = s1 + t0; \\
      float e4 = 1.0 / safeR2; \\
      float e5 = e3 * e3 * e4; \\
      float e6 = e5 * e5 * e5; \\
      float coefficient = s0 * (1.0 - 2.0 * e6) * (e6 * e4); \\
      if (!excluded && (r2 <= p0)) { \\
        part0 += coefficient * dx; \\
        part1 += coefficient * dy; \\
        part2 += coefficient * dz; \\
      } \\
    }
    vec4 pairLoop() {
      int page = rowOf(int(gl_FragCoord.x));
      int target = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
      int until = target >= user_firstTarget && target < user_lastTarget ? user_last : user_first;
      float p0 = user_p0;
      float p1 = user_p1;
      float p2 = user_p2;
      float p3 = user_p3;
      float p4 = user_p4;
      float p5 = user_p5;
      float p6 = user_p6;
      float xi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 0);
      float yi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 1);
      float zi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 2);
      float ofTarget0 = flatNumber(user_targetAttribute0, user_targetAttribute0Scale, target);
      float ofTarget1 = flatNumber(user_targetAttribute1, user_targetAttribute1Scale, target);
      float t0 = 0.5 * ofTarget1;
      float t1 = 24.0 * sqrt(ofTarget0);
      float total0 = 0.0;
      float total1 = 0.0;
      float total2 = 0.0;
      int next = int(flatNumber(user_exclusionOffsets, user_exclusionOffsetsScale, target));
      int end = int(flatNumber(user_exclusionOffsets, user_exclusionOffsetsScale, target + 1));
      for (; next < end && int(flatNumber(user_exclusions, user_exclusionsScale, next)) < user_first; next++) {}
      int skip = next < end ? int(flatNumber(user_exclusions, user_exclusionsScale, next)) : -1;
      for (int row = rowOf(user_first); elementAt(row, 0) < until; row++) {
        int column = row == rowOf(user_first) ? columnOf(user_first) : 0;
        int to = row == rowOf(until) ? columnOf(until) : 256;
        vec2 scale = user_sourcesScale;
        float rowCentre = centre(row, scale.y);
        float part0 = 0.0;
        float part1 = 0.0;
        float part2 = 0.0;
        for (; column + 4 <= to; column += 4) {
          vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
          vec4 page1At0 = sampled(user_sources, vec2(centre(256 + column, scale.x), rowCentre));
          vec4 page0At1 = sampled(user_sources, vec2(centre(column + 1, scale.x), rowCentre));
          vec4 page1At1 = sampled(user_sources, vec2(centre(256 + column + 1, scale.x), rowCentre));
          vec4 page0At2 = sampled(user_sources, vec2(centre(column + 2, scale.x), rowCentre));
          vec4 page1At2 = sampled(user_sources, vec2(centre(256 + column + 2, scale.x), rowCentre));
          vec4 page0At3 = sampled(user_sources, vec2(centre(column + 3, scale.x), rowCentre));
          vec4 page1At3 = sampled(user_sources, vec2(centre(256 + column + 3, scale.x), rowCentre));
          PAIR(column, page0At0, page1At0)
          PAIR(column + 1, page0At1, page1At1)
          PAIR(column + 2, page0At2, page1At2)
          PAIR(column + 3, page0At3, page1At3)
        }
        for (; column < to; column++) {
          vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
          vec4 page1At0 = sampled(user_sources, vec2(centre(256 + column, scale.x), rowCentre));
          PAIR(column, page0At0, page1At0)
        }
        total0 += part0;
        total1 += part1;
        total2 += part2;
      }
      return vec4(before(0).x + t1 * total0, before(0).y + t1 * total1, before(0).z + t1 * total2, 0.0);
    }"
  `)
})

test('reductions keep a small state', () => {
  expect(loopOf(nearest(2))).toMatchInlineSnapshot(`
    "#define before(page) (user_resume == 1 ? texel(user_previous, user_previousScale, elementAt(page, columnOf(target)), rowOf(target)) : vec4(0.0))
    #define PAIR(column, page0) { \\
      int j = elementAt(row, column); \\
      float xj = page0.x; \\
      float yj = page0.y; \\
      float zj = page0.z; \\
      float dx = xj - xi; \\
      float dy = yj - yi; \\
      float dz = zj - zi; \\
      float r2 = dx * dx + dy * dy + dz * dz; \\
      if (j != target) { \\
        vec2 next = vec2(r2, float(j)); \\
        if (next.x < least[1]) { \\
          bool moving = false; \\
          for (int q = 0; q < 2; q++) { \\
            moving = moving || next.x < least[q]; \\
            vec2 kept = vec2(least[q], at[q]); \\
            if (moving) { least[q] = next.x; at[q] = next.y; next = kept; } \\
          } \\
        } \\
      } \\
    }
    vec4 pairLoop() {
      int page = rowOf(int(gl_FragCoord.x));
      int target = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
      int until = target >= user_firstTarget && target < user_lastTarget ? user_last : user_first;
      float xi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 0);
      float yi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 1);
      float zi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 2);
      float least[2];
      float at[2];
      least[0] = user_resume == 1 ? before(0).x : 3.4028234e38;
      least[1] = user_resume == 1 ? before(0).y : 3.4028234e38;
      at[0] = user_resume == 1 ? before(0).z : -1.0;
      at[1] = user_resume == 1 ? before(0).w : -1.0;
      for (int row = rowOf(user_first); elementAt(row, 0) < until; row++) {
        int column = row == rowOf(user_first) ? columnOf(user_first) : 0;
        int to = row == rowOf(until) ? columnOf(until) : 256;
        vec2 scale = user_sourcesScale;
        float rowCentre = centre(row, scale.y);
        for (; column + 4 <= to; column += 4) {
          vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
          vec4 page0At1 = sampled(user_sources, vec2(centre(column + 1, scale.x), rowCentre));
          vec4 page0At2 = sampled(user_sources, vec2(centre(column + 2, scale.x), rowCentre));
          vec4 page0At3 = sampled(user_sources, vec2(centre(column + 3, scale.x), rowCentre));
          PAIR(column, page0At0)
          PAIR(column + 1, page0At1)
          PAIR(column + 2, page0At2)
          PAIR(column + 3, page0At3)
        }
        for (; column < to; column++) {
          vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
          PAIR(column, page0At0)
        }
      }
      return vec4(least[0], least[1], at[0], at[1]);
    }"
  `)
  expect(loopOf(countWithin(1))).toMatchInlineSnapshot(`
    "#define before(page) (user_resume == 1 ? texel(user_previous, user_previousScale, elementAt(page, columnOf(target)), rowOf(target)) : vec4(0.0))
    #define PAIR(column, page0) { \\
      int j = elementAt(row, column); \\
      float xj = page0.x; \\
      float yj = page0.y; \\
      float zj = page0.z; \\
      float dx = xj - xi; \\
      float dy = yj - yi; \\
      float dz = zj - zi; \\
      float r2 = dx * dx + dy * dy + dz * dz; \\
      if (j != target && (r2 <= p0)) { \\
        total += 1.0; \\
      } \\
    }
    vec4 pairLoop() {
      int page = rowOf(int(gl_FragCoord.x));
      int target = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
      int until = target >= user_firstTarget && target < user_lastTarget ? user_last : user_first;
      float p0 = user_p0;
      float xi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 0);
      float yi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 1);
      float zi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 2);
      float total = before(0).x;
      for (int row = rowOf(user_first); elementAt(row, 0) < until; row++) {
        int column = row == rowOf(user_first) ? columnOf(user_first) : 0;
        int to = row == rowOf(until) ? columnOf(until) : 256;
        vec2 scale = user_sourcesScale;
        float rowCentre = centre(row, scale.y);
        for (; column + 4 <= to; column += 4) {
          vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
          vec4 page0At1 = sampled(user_sources, vec2(centre(column + 1, scale.x), rowCentre));
          vec4 page0At2 = sampled(user_sources, vec2(centre(column + 2, scale.x), rowCentre));
          vec4 page0At3 = sampled(user_sources, vec2(centre(column + 3, scale.x), rowCentre));
          PAIR(column, page0At0)
          PAIR(column + 1, page0At1)
          PAIR(column + 2, page0At2)
          PAIR(column + 3, page0At3)
        }
        for (; column < to; column++) {
          vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
          PAIR(column, page0At0)
        }
      }
      return vec4(total, 0.0, 0.0, 0.0);
    }"
  `)
  expect(loopOf(reduce('argmax', pairTerm('r2')()))).toMatchInlineSnapshot(`
    "#define before(page) (user_resume == 1 ? texel(user_previous, user_previousScale, elementAt(page, columnOf(target)), rowOf(target)) : vec4(0.0))
    #define PAIR(column, page0) { \\
      int j = elementAt(row, column); \\
      float xj = page0.x; \\
      float yj = page0.y; \\
      float zj = page0.z; \\
      float dx = xj - xi; \\
      float dy = yj - yi; \\
      float dz = zj - zi; \\
      float r2 = dx * dx + dy * dy + dz * dz; \\
      if (j != target) { \\
        float term = r2; \\
        if (term > best.x) best = vec2(term, float(j)); \\
      } \\
    }
    vec4 pairLoop() {
      int page = rowOf(int(gl_FragCoord.x));
      int target = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
      int until = target >= user_firstTarget && target < user_lastTarget ? user_last : user_first;
      float xi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 0);
      float yi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 1);
      float zi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 2);
      vec2 best = user_resume == 1 ? before(0).xy : vec2(-3.4028234e38, -1.0);
      for (int row = rowOf(user_first); elementAt(row, 0) < until; row++) {
        int column = row == rowOf(user_first) ? columnOf(user_first) : 0;
        int to = row == rowOf(until) ? columnOf(until) : 256;
        vec2 scale = user_sourcesScale;
        float rowCentre = centre(row, scale.y);
        for (; column + 4 <= to; column += 4) {
          vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
          vec4 page0At1 = sampled(user_sources, vec2(centre(column + 1, scale.x), rowCentre));
          vec4 page0At2 = sampled(user_sources, vec2(centre(column + 2, scale.x), rowCentre));
          vec4 page0At3 = sampled(user_sources, vec2(centre(column + 3, scale.x), rowCentre));
          PAIR(column, page0At0)
          PAIR(column + 1, page0At1)
          PAIR(column + 2, page0At2)
          PAIR(column + 3, page0At3)
        }
        for (; column < to; column++) {
          vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
          PAIR(column, page0At0)
        }
      }
      return vec4(best.x, best.y, 0.0, 0.0);
    }"
  `)
  expect(loopOf(reduce('logsumexp', pairTerm('-r2')()))).toMatchInlineSnapshot(`
    "#define before(page) (user_resume == 1 ? texel(user_previous, user_previousScale, elementAt(page, columnOf(target)), rowOf(target)) : vec4(0.0))
    #define PAIR(column, page0) { \\
      int j = elementAt(row, column); \\
      float xj = page0.x; \\
      float yj = page0.y; \\
      float zj = page0.z; \\
      float dx = xj - xi; \\
      float dy = yj - yi; \\
      float dz = zj - zi; \\
      float r2 = dx * dx + dy * dy + dz * dz; \\
      if (j != target) { \\
        float term = -r2; \\
        if (term > part.x) part = vec2(term, part.y * exp(part.x - term) + 1.0); \\
        else { \\
          float less = exp(term - part.x); \\
          part.y += term == term ? less : term; \\
        } \\
      } \\
    }
    vec4 pairLoop() {
      int page = rowOf(int(gl_FragCoord.x));
      int target = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
      int until = target >= user_firstTarget && target < user_lastTarget ? user_last : user_first;
      float xi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 0);
      float yi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 1);
      float zi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 2);
      vec2 state = user_resume == 1 ? before(0).xy : vec2(-3.4028234e38, 0.0);
      for (int row = rowOf(user_first); elementAt(row, 0) < until; row++) {
        int column = row == rowOf(user_first) ? columnOf(user_first) : 0;
        int to = row == rowOf(until) ? columnOf(until) : 256;
        vec2 scale = user_sourcesScale;
        float rowCentre = centre(row, scale.y);
        vec2 part = vec2(-3.4028234e38, 0.0);
        for (; column + 4 <= to; column += 4) {
          vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
          vec4 page0At1 = sampled(user_sources, vec2(centre(column + 1, scale.x), rowCentre));
          vec4 page0At2 = sampled(user_sources, vec2(centre(column + 2, scale.x), rowCentre));
          vec4 page0At3 = sampled(user_sources, vec2(centre(column + 3, scale.x), rowCentre));
          PAIR(column, page0At0)
          PAIR(column + 1, page0At1)
          PAIR(column + 2, page0At2)
          PAIR(column + 3, page0At3)
        }
        for (; column < to; column++) {
          vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
          PAIR(column, page0At0)
        }
        float largest = max(state.x, part.x);
        state = vec2(largest, state.y * exp(state.x - largest) + part.y * exp(part.x - largest));
      }
      return vec4(state.x, state.y, 0.0, 0.0);
    }"
  `)
})

test('a matrix keeps four terms in a texel', () => {
  const workload = matrix(pairTerm('r2')())
  expect(
    matrixLoop(workload, pairTexts(workload, { dimension: 3, sameSet: true }, false, dialects[2]), 300, 64).glsl,
  ).toMatchInlineSnapshot(`
    "vec4 matrixLoop() {
      int quad = elementAt(int(gl_FragCoord.y), int(gl_FragCoord.x));
      int target = user_firstTarget + quotient(quad, 75);
      int firstSource = 4 * remainder(quad, 75);
      if (target >= user_lastTarget) return vec4(0.0);
      float xi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 0);
      float yi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 1);
      float zi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 2);
      vec4 terms = vec4(0.0);
      for (int lane = 0; lane < 4; lane++) {
        int j = firstSource + lane;
        if (j < user_first || j >= user_last) continue;
        int row = rowOf(j), column = columnOf(j);
        vec2 scale = user_sourcesScale;
        float rowCentre = centre(row, scale.y);
        vec4 page0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
        float xj = page0.x;
        float yj = page0.y;
        float zj = page0.z;
        float dx = xj - xi;
        float dy = yj - yi;
        float dz = zj - zi;
        float r2 = dx * dx + dy * dy + dz * dz;
        if (j != target) terms[lane] = r2;
      }
      return terms;
    }"
  `)
})

test('the naive variant: JavaScript for gpu.js to transpile', () => {
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
