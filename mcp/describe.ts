import { z } from "zod";

/**
 * The description of a tool, made from its schemas, so that it explains every argument and every field of the reply and
 * nothing that is not there. A field of a field is indented under it.
 *
 * @param summary what the tool is for
 */
export function describeTool(summary: string, input: z.ZodObject, output: z.ZodObject): string {
  return [summary, "Arguments", ...fields(input, ""), "Reply", ...fields(output, "")].join("\n");
}

function fields(object: z.ZodObject, indent: string): string[] {
  return Object.entries(object.shape).flatMap(([name, schema]) => {
    const inner = unwrap(schema as z.ZodType);
    const line = `${indent}${name}: ${(schema as z.ZodType).description ?? ""}`;
    return inner instanceof z.ZodObject ? [line, ...fields(inner, `${indent}  `)] : [line];
  });
}

/** The schema without what makes it optional or repeated. */
function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrap(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return unwrap(schema.element as z.ZodType);
  if (schema instanceof z.ZodRecord) return unwrap(schema.valueType as z.ZodType);
  return schema;
}
