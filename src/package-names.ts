/** The names by which packages are told apart: two of the same name have the first digits of their id behind it. */
export function packageNames(packages: readonly { readonly id: string; readonly name: string }[]): string[] {
  const times = new Map<string, number>();
  for (const { name } of packages) times.set(name, (times.get(name) ?? 0) + 1);
  return packages.map(({ id, name }) => (times.get(name)! > 1 ? `${name} (${id.slice(0, 8)})` : name));
}
