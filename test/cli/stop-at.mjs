// Loaded before the command: the process gets the signal MDCX_TEST_SIGNAL just before the call to the file system named
// by MDCX_TEST_STOP_AT ("write 2": the third write to the file that is opened for writing).
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [wanted, count] = process.env.MDCX_TEST_STOP_AT.split(" ");
let left = Number(count);
const real = { open: fs.promises.open, rename: fs.promises.rename };

function stopBefore(name, call) {
  return function (...args) {
    if (name === wanted && left-- === 0) process.kill(process.pid, process.env.MDCX_TEST_SIGNAL);
    return call.apply(this, args);
  };
}

fs.promises.open = async (path, flags, mode) => {
  const handle = await real.open(path, flags, mode);
  if (flags === "wx") for (const name of ["write", "sync", "close"]) handle[name] = stopBefore(name, handle[name]);
  return handle;
};
fs.promises.rename = stopBefore("rename", real.rename);
syncBuiltinESMExports();
