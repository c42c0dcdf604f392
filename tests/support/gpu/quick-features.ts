// Compiles shaders in half of the time. Dawn leaves out what SwiftShader takes long to compile and our shaders
// must not need, while the tests in browsers and in Deno have it:
//
// - zeros in workgroup memory, half a second for 256 invocations: a shader reads only what it wrote;
// - checks of every index, which would hide a read beyond an array.

/** A flag for Dawn. */
export const quickFeatures = 'enable-dawn-features=disable_workgroup_init,disable_robustness'
