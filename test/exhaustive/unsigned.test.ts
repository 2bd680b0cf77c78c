import { testEveryPosition } from "./every-position.js";

testEveryPosition(false);
