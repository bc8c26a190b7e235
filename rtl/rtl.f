# RTL in compile order, paths relative to this file: verilator -F rtl/rtl.f, yosys read_slang -F rtl/rtl.f
+incdir+common
rivulet_pkg.sv
