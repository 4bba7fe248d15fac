/** The examples, which `build.mjs` reads from their folders. */
declare module "examples" {
  const examples: { name: string; title: string; show: string; files: [string, string][] }[];
  export default examples;
}
