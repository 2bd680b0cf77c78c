import { z } from "zod";

/**
 * The description of a tool, made from its schemas, so that it explains every argument and every field of the reply and
 * nothing that is not there.
 *
 * @param summary what the tool is for and when to use it
 */
export function describeTool(summary: string, input: z.ZodObject, output: z.ZodObject): string {
  return [summary, "Arguments:", ...fields(input, ""), "Reply:", ...fields(output, "")].join("\n");
}

function fields(object: z.ZodObject, prefix: string): string[] {
  return Object.entries(object.shape).flatMap(([name, schema]) => {
    const { inner, suffix } = unwrap(schema as z.ZodType);
    const line = `- ${prefix}${name}: ${(schema as z.ZodType).description ?? ""}`;
    return inner instanceof z.ZodObject ? [line, ...fields(inner, `${prefix}${name}${suffix}.`)] : [line];
  });
}

/** The schema without what makes it optional or repeated; the suffix says that it is a list. */
function unwrap(schema: z.ZodType): { inner: z.ZodType; suffix: string } {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodArray) return { inner: unwrap(schema.element as z.ZodType).inner, suffix: "[]" };
  return { inner: schema, suffix: "" };
}
