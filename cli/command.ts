import type { ArgumentsCamelCase, Argv, CommandModule } from "yargs";

/** One command of the command line; the types of its arguments follow from its builder. */
export function command<Options>(definition: {
  readonly command: string;
  readonly describe: string;
  readonly builder: (args: Argv<object>) => Argv<Options>;
  readonly handler: (args: ArgumentsCamelCase<Options>) => Promise<void>;
}): CommandModule {
  // yargs gives the handler what the builder describes; its own types do not carry that through a list of commands.
  return definition as unknown as CommandModule;
}
