import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", "coverage/"] },
  {
    files: ["**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/unified-signatures": "off",
    },
  },
  {
    // These folders run in browsers: nothing of Node may be reached from them.
    files: ["src/{format,image,text,words,meaning,ranking}/**/*.ts"],
    rules: { "no-restricted-imports": ["error", { patterns: ["node:*", "**/node/*"] }] },
  },
);
