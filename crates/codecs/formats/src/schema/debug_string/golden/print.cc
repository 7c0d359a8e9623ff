// Prints what brpc's page /protobufs has of the services in .proto files: their `DebugString`, and that of each
// message that is reached from them. So `page.txt` was made, by libprotobuf 3.21.12 of Debian 12:
//
//   g++ -std=c++17 print.cc -o print -lprotobuf -lpthread && ./print proto2.proto proto3.proto > page.txt
#include <google/protobuf/compiler/importer.h>
#include <google/protobuf/descriptor.h>

#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace google::protobuf;

struct Errors : compiler::MultiFileErrorCollector {
    void AddError(const std::string& file, int line, int, const std::string& text) override {
        std::cerr << file << ":" << line << ": " << text << "\n";
    }
};

int main(int argc, char** argv) {
    compiler::DiskSourceTree tree;
    tree.MapPath("", ".");
    tree.MapPath("", "/usr/include");
    Errors errors;
    compiler::Importer importer(&tree, &errors);
    std::map<std::string, std::string> page;
    std::vector<const Descriptor*> left;
    for (int i = 1; i < argc; i++) {
        const FileDescriptor* file = importer.Import(argv[i]);
        if (!file) return 1;
        for (int s = 0; s < file->service_count(); s++) {
            const ServiceDescriptor* service = file->service(s);
            page[service->full_name()] = service->DebugString();
            for (int m = 0; m < service->method_count(); m++) {
                left.push_back(service->method(m)->input_type());
                left.push_back(service->method(m)->output_type());
            }
        }
    }
    while (!left.empty()) {
        const Descriptor* one = left.back();
        left.pop_back();
        if (!page.emplace(one->full_name(), one->DebugString()).second) continue;
        for (int f = 0; f < one->field_count(); f++)
            if (one->field(f)->message_type()) left.push_back(one->field(f)->message_type());
    }
    for (const auto& [name, text] : page) std::cout << "=== " << name << "\n" << text;
}
